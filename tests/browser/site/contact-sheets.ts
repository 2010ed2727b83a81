// `npm run contact-sheets -- <folder of Markdown> [every n-th post] [preset]`: the pages and posts of a blog in each preset, on a
// phone and a wide screen, as sheets of 18 to 20 in the ignored folder screenshots/contact/, to be looked at. Prints what is
// wider than the window, missing or blown up. Needs a build.
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp, { type OverlayOptions } from 'sharp';
import type { App } from '#app/app.ts';
import { importFrom } from '#app/import/run/import.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createPatientWorkers } from '#app/workers/workers.server.ts';
import { openDemoSite } from '#tests/support/demo-site.ts';

const [input, every = '6', only] = process.argv.slice(2);
if (!input) {
  process.stderr.write('npm run contact-sheets -- <folder of Markdown> [every n-th post] [preset]\n');
  process.exit(2);
}
const target = 'screenshots/contact';
const devices = [
  { width: 1280, shown: 320, columns: 6, rows: 3 },
  { width: 390, shown: 195, columns: 10, rows: 2 },
] as const;
/** What of a long page is shown, in pixels of the page. */
const HEIGHT_MAX = 2_600;
const GAP = 10;
const presets = readdirSync('app/settings/appearance/themes').filter((preset) => !only || preset === only);

/** The pages of each kind, with a long text on a page and an address near that of a post. */
async function importBlog(app: App): Promise<{ pages: string[]; posts: string[] }> {
  // A machine with other work may take longer than the server's threads wait.
  const workers = createPatientWorkers();
  await importFrom({ ...app, workers }, { from: 'markdown', input: input!, dryRun: false });
  await workers.close();
  await reindexPosts(app, { batchSize: 200 });
  const posts = await app.db.post.findMany({
    where: { status: 'published', type: 'post' },
    orderBy: { publishedAt: 'desc' },
    select: { slug: true, bodyHtml: true, tags: { select: { tag: { select: { slug: true } } } } },
  });
  await changeSettings(app, {
    site_title: 'Contact',
    site_description: 'Posts of a real blog, each in every preset.',
    navigation: 'Archive | /archive\nSearch | /search',
  });
  const author = await app.db.user.findFirst({ where: { posts: { some: {} } }, select: { username: true } });
  const tag = posts.flatMap(({ tags }) => tags.map((one) => one.tag.slug))[0];
  return {
    pages: [
      ...['/', '/?page=2', '/archive', '/search', '/search?q=release', '/search?q=nothingatall'],
      ...(author ? [`/authors/${author.username}`] : []),
      ...(tag ? [`/tags/${tag}`] : []),
      ...[`/posts/${posts[0]!.slug.slice(0, -2)}`, '/nothing/of/the/kind'],
    ],
    posts: posts.filter((_, index) => index % Number(every) === 0).map(({ slug }) => `/posts/${slug}`),
  };
}

const { app, url, browser, content, close } = await openDemoSite(importBlog);
const faults: string[] = [];
try {
  await mkdir(target, { recursive: true });
  for (const preset of presets) {
    await changeSettings(app, { preset });
    for (const { width, shown, columns, rows } of devices) {
      for (const scheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
        const take = async (addresses: string[], name: string) => {
          const pictures: Buffer[] = [];
          for (const address of addresses)
            pictures.push(await shoot(page, address, { width, shown, preset }));
          const perSheet = columns * rows;
          for (let first = 0; first < pictures.length; first += perSheet) {
            const number = pictures.length > perSheet ? `-${first / perSheet + 1}` : '';
            await writeSheet(pictures.slice(first, first + perSheet), {
              columns,
              shown,
              file: path.join(target, `${preset}-${width}-${name}${number}.webp`),
            });
          }
        };
        await take(content.pages, `pages-${scheme}`);
        if (scheme === 'light') await take(content.posts, 'posts');
        await page.close();
      }
    }
  }
} finally {
  await close();
}
process.stdout.write(`${JSON.stringify({ presets: presets.length, posts: content.posts.length, faults })}\n`);

async function shoot(
  page: Page,
  address: string,
  { width, shown, preset }: { width: number; shown: number; preset: string },
): Promise<Buffer> {
  await page.goto(url + address, { waitUntil: 'load' });
  // Pictures further down load when they come near.
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
    return Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
  const found = await page.evaluate(() => ({
    sticksOut: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    hidden: [...document.querySelectorAll('.search-hit .teaser-excerpt')].filter(
      (one) => !one.checkVisibility(),
    ).length,
    missing: [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
    blownUp: [...document.images]
      .filter(
        ({ naturalWidth, width: wide, src }) =>
          naturalWidth > 0 && wide > naturalWidth + 1 && !src.endsWith('.svg'),
      )
      .map(({ src, naturalWidth, width: wide }) => `${src} ${naturalWidth} → ${wide}`),
  }));
  const where = `${preset} ${width} ${address}`;
  if (found.sticksOut > 0) faults.push(`${where}: ${found.sticksOut} px wider than the window`);
  if (found.hidden > 0) faults.push(`${where}: ${found.hidden} results without the words that were found`);
  faults.push(...found.missing.map((src) => `${where}: ${src} is missing`));
  faults.push(...found.blownUp.map((text) => `${where}: blown up ${text}`));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const picture = await page.screenshot({
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) },
  });
  return sharp(picture).resize({ width: shown }).png().toBuffer();
}

async function writeSheet(
  pictures: Buffer[],
  { columns, shown, file }: { columns: number; shown: number; file: string },
): Promise<void> {
  const rowHeight = Math.round((HEIGHT_MAX * shown) / (shown === 320 ? 1280 : 390));
  const parts: OverlayOptions[] = pictures.map((picture, index) => ({
    input: picture,
    left: GAP + (index % columns) * (shown + GAP),
    top: GAP + Math.floor(index / columns) * (rowHeight + GAP),
  }));
  const rows = Math.ceil(pictures.length / columns);
  const [wide, high] = [GAP + columns * (shown + GAP), GAP + rows * (rowHeight + GAP)];
  await sharp({ create: { width: wide, height: high, channels: 3, background: '#8a8f98' } })
    .composite(parts)
    .webp({ quality: 80 })
    .toFile(file);
}
