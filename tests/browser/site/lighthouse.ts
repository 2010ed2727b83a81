// `npm run lighthouse -- <folder with node_modules/lighthouse> [preset or all] [light, dark or both] [slowdown of the processor, else 4]`:
// Lighthouse on each kind of page in each preset and scheme. Prints what costs points, as it goes, and one table of the scores:
// performance, accessibility, best practices, SEO. Needs a build.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createDemoPosts } from '#app/publishing/demo/demo-posts.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { findChromium } from '#tests/support/chromium.mjs';
import { editorLogin } from '#tests/support/demo-content.ts';
import { openDemoSite } from '#tests/support/demo-site.ts';
import { freePort } from '#tests/support/free-port.ts';

interface Report {
  categories: Record<
    string,
    { score: number | null; auditRefs: { id: string; weight: number; group?: string }[] }
  >;
  environment: { benchmarkIndex: number };
  audits: Record<string, { score: number | null; displayValue?: string }>;
}
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>;

const [folder = '', only, scheme = 'both', slowdown] = process.argv.slice(2);
const schemes = (['light', 'dark'] as const).filter((one) => scheme === 'both' || scheme === one);
/** Lighthouse's phone. */
const mobile = { rttMs: 150, throughputKbps: 1638.4 };
const entry = path.resolve(folder, 'node_modules/lighthouse/core/index.js');
const { default: lighthouse } = (await import(pathToFileURL(entry).href)) as { default: Lighthouse };
// Pages without scripts need no long wait after they have loaded.
const patience = {
  pauseAfterFcpMs: 300,
  pauseAfterLoadMs: 300,
  networkQuietThresholdMs: 300,
  cpuQuietThresholdMs: 300,
  disableFullPageScreenshot: true,
  ...(slowdown && { throttling: { ...mobile, cpuSlowdownMultiplier: Number(slowdown) } }),
};
/** What a page with no place in search engines, or a 404 itself, fails by what it is. */
const byNature = ['is-crawlable', 'http-status-code', 'errors-in-console', 'meta-description'];
const presets = readdirSync('app/settings/appearance/themes').filter(
  (preset) => !only || only === 'all' || preset === only,
);
const unlisted = ['/search?q=sea', '/nothing-here'];
const addresses = [
  ...['/', '/posts/how-to-read-a-tide-table', '/about', '/categories/craft', '/authors/mara', '/archive'],
  ...unlisted,
];

const { app, url, close } = await openDemoSite(async (demo) => {
  const person = { username: 'mara', displayName: 'Mara Lindgren' };
  const { id } = await createAdministrator(demo, { ...editorLogin, ...person });
  await createDemoPosts(demo, { userId: id, actor: person.displayName, address: '' });
  await changeSettings(demo, { site_title: 'Saltmarsh', site_description: 'Stories from a small harbour' });
  const body = 'Saltmarsh is two people, a kettle and a view of the slip.';
  const fields = { title: 'About', slug: 'about', type: 'page' as const, body };
  await createPost(demo, { intent: 'publish', fields, editorId: id });
});
/** A row a preset and scheme: its name, then the scores of each page. */
const rows = [['', ...addresses.map((address) => address.split('?')[0]!)]];
try {
  for (const scheme of schemes) {
    const port = await freePort();
    const browser = await chromium.launch({
      executablePath: findChromium(),
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        `--remote-debugging-port=${port}`,
        `--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`,
      ],
    });
    for (const preset of presets) {
      await changeSettings(app, { preset });
      const row = [`${preset} ${scheme}`];
      for (const address of addresses) {
        await fetch(url + address);
        const result = await lighthouse(url + address, {
          port,
          logLevel: 'error',
          ignoreStatusCode: true,
          ...patience,
          skipAudits: unlisted.includes(address) ? byNature : null,
        });
        const { lhr } = result!;
        row.push(scoresOf(lhr));
        const lost = lostIn(lhr);
        if (lost.length > 0) process.stdout.write(`${row[0]} ${address}: ${lost.join(' · ')}\n`);
      }
      rows.push(row);
    }
    await browser.close();
  }
} finally {
  await close();
}
process.stdout.write(tableOf(rows));

function scoresOf({ categories }: Report): string {
  return Object.values(categories)
    .map(({ score }) => Math.round((score ?? 0) * 100))
    .join(' ');
}

/** The audits that cost points, and how fast the machine was. */
function lostIn({ categories, audits, environment }: Report): string[] {
  const lost = Object.values(categories)
    .filter(({ score }) => score !== 1)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id} ${audits[id]!.displayValue ?? ''}`.trim());
  return lost.length === 0 ? [] : [...lost, `machine ${Math.round(environment.benchmarkIndex)}`];
}

/** In Markdown, its columns aligned. */
function tableOf(cells: string[][]): string {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length), 3));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`;
  const [head, ...body] = cells.map(line);
  return `${head}${line(widths.map((width) => '-'.repeat(width)))}${body.join('')}`;
}
