// Nothing for axe-core to find, no layout shift, nothing wider than the window, little code: on every screen of the
// backend and every kind of public page, light and dark, on a phone and on a wide screen.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findScreen } from '#app/admin/enter-screen.server.ts';
import { screens as backendScreens } from '#app/admin/screens.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { examine } from '#tests/support/axe.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { weighCode, type CodeWeight } from '#tests/support/code-weight.ts';
import { createDemoContent } from '#tests/support/demo-content.ts';
import { everyScreen, type ScreenState } from '#tests/support/every-screen.ts';
import { startServer } from '#tests/support/server.ts';

/** A site with the content that the screens show. What is done on one changes others. */
async function openDemo() {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const room = await createDemoContent(app);
  return { app, server, adaId: room.ada.id, screens: await everyScreen(app, room) };
}

const widths = [
  { width: 360, loadedIn: 'light' },
  { width: 1280, loadedIn: 'dark' },
] as const;
let demos: Awaited<ReturnType<typeof openDemo>>[];
beforeAll(async () => void (demos = await Promise.all(widths.map(openDemo))));
afterAll(async () => {
  for (const { app, server } of demos ?? []) {
    await server.stop();
    await app.close();
  }
});

/** Screens of the table that are no page by themselves. */
const withoutPage = new Set([
  // Answers to scripts, and redirects.
  ...['posts/:id/state', 'posts/:id/duplicate', 'preview', 'publish-check', 'card-preview', 'find'],
  ...['logout', 'undo', 'edit'],
  // Between a password and a code: `login` has the same form.
  'login/code',
]);

it('the list holds every screen of the backend', () => {
  const seen = new Set(
    demos[0]!.screens.map(
      ({ path }) => findScreen(path.replace(/^\/admin\/?/, '').replace(/\?.*/, ''))?.screen.pattern,
    ),
  );
  const patterns = backendScreens.map(({ pattern }) => pattern);
  expect(patterns.filter((pattern) => !seen.has(pattern) && !withoutPage.has(pattern))).toEqual([]);
});

/** Ids that stand on the page more than once: labels and descriptions would lead to the first alone. */
const repeatedIds = (page: Page) =>
  page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  });

interface Watch {
  /** When a frame with the whole page had been painted, in milliseconds since navigation began. */
  whole: number;
  shifts: { time: number; value: number; moved: string[] }[];
}

/**
 * How far the page moved after it had been painted whole, and how many pixels of it stick out of the window. A loaded
 * machine paints a page in parts while it comes in: what the first whole frame moves stood in an unfinished one.
 */
async function measure(page: Page) {
  await page.waitForFunction(() => (globalThis as unknown as Watch).whole > 0);
  return page.evaluate(() => {
    const { shifts, whole } = globalThis as unknown as Watch;
    const seen = shifts.filter(({ time }) => time > whole);
    return {
      shift: seen.reduce((sum, { value }) => sum + value, 0),
      moved: seen.flatMap(({ moved }) => moved),
      sticksOut: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
}

async function watchShifts(session: BrowserSession) {
  await session.page.addInitScript(() => {
    // Every screen as at a first visit: the editor remembers texts that were not saved. The frames of mails have no store.
    if (window.top === window) localStorage.clear();
    const watch = globalThis as unknown as Watch;
    watch.whole = 0;
    watch.shifts = [];
    document.addEventListener(
      'readystatechange',
      () => requestAnimationFrame(() => requestAnimationFrame(() => void (watch.whole = performance.now()))),
      { once: true },
    );
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${node?.nodeName}.${node?.className}: y ${from.y} to ${to.y}, x ${from.x} to ${to.x}`,
        );
        watch.shifts.push({ time: entry.startTime, value: entry.value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const schemes = ['light', 'dark'] as const;
/** Compressed code of a screen of the backend. */
const MAX_BYTES = 130 * 1024;
const LIVE_EDITOR_MAX_BYTES = 200 * 1024;
/**
 * What Chromium says of a mail's preview: when axe reaches into its frames, which run no script, and of its pictures at
 * the site's address, which is not this server's.
 */
const OF_MAILS =
  /^Blocked script execution in 'about:srcdoc'|^Failed to load resource: net::ERR_NAME_NOT_RESOLVED/;

/** What is wrong with one screen: it is loaded in one scheme and examined in both. */
async function visit(
  { page }: BrowserSession,
  { name, path, act, loggedOut }: ScreenState,
  { code, sizes }: { code: CodeWeight; sizes: Map<string, number> },
): Promise<unknown[]> {
  const findings: unknown[] = [];
  // What the last screen was made to load is not this one's.
  await code.take();
  await page.goto(path, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  const bytes = await code.take();
  sizes.set(name, bytes);
  const isPublic = loggedOut && !path.startsWith('/admin');
  if (bytes > (isPublic ? 0 : MAX_BYTES)) findings.push({ screen: name, bytes });
  const { shift, moved, sticksOut } = await measure(page);
  // What rounds to 0.00, as Lighthouse shows it, is a fraction of a pixel that nobody sees.
  if (shift >= 0.001) findings.push({ screen: name, shift, moved });
  if (act) {
    await act(page);
    await page.waitForLoadState('networkidle');
  }
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme });
    findings.push(...(await examine(page, `${name}, ${colorScheme}`, { colours: index > 0 })));
  }
  const repeated = await repeatedIds(page);
  if (repeated.length > 0) findings.push({ screen: name, repeated });
  if (sticksOut > 0 || (await measure(page)).sticksOut > 0) findings.push({ screen: name, sticksOut });
  return findings;
}

// Half of the time of each is waiting for a quiet network.
it.concurrent.each(widths)(
  '$width px wide, light and dark, loaded in $loadedIn',
  async ({ width, loadedIn: colorScheme }) => {
    const { app, server, adaId, screens } = demos[widths.findIndex((each) => each.width === width)]!;
    const findings: unknown[] = [];
    // Without transitions a screen has its colours at once when the scheme changes.
    const options = { viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' } as const;
    const inside = await openBrowserSession(app, server, adaId, options);
    const outside = await openBrowserSession(app, server, null, options);
    for (const session of [inside, outside]) await watchShifts(session);
    const code = { inside: await weighCode(inside.page), outside: await weighCode(outside.page) };
    const sizes = new Map<string, number>();
    for (const screen of screens) {
      const side = screen.loggedOut ? 'outside' : 'inside';
      const session = { inside, outside }[side];
      await session.page.emulateMedia({ colorScheme });
      findings.push(...(await visit(session, screen, { code: code[side], sizes })));
      const troubles = session.troubles.splice(0);
      findings.push(...troubles.filter((one) => screen.name !== 'mail' || !OF_MAILS.test(one)));
    }
    expectLittleCode(sizes, code.inside.liveEditor());
    for (const session of [inside, outside]) {
      findings.push(...session.troubles);
      await session.close();
    }
    expect(findings).toEqual([]);
  },
  600_000,
);

/** @param live the code of the live editor */
function expectLittleCode(sizes: Map<string, number>, live: number): void {
  // Each would be zero if nothing were counted.
  expect(sizes.get('editor-new')).toBeGreaterThan(50 * 1024);
  expect(live).toBeGreaterThan(50 * 1024);
  expect(live).toBeLessThan(LIVE_EDITOR_MAX_BYTES);
  // For whoever wants the figures: `npm run test:browser -- axe`.
  const most = Math.max(...sizes.values());
  process.stdout.write(
    `Client code: at most ${kilobytes(most)} KB a screen, live editor ${kilobytes(live)} KB\n`,
  );
}

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
