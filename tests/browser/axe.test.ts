// Nothing for axe-core to find, no layout shift, nothing wider than the window: on every screen of the
// backend and every kind of public page, light and dark, on a phone and on a session.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { examine } from '#tests/support/axe.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { everyScreen, type ScreenState } from '#tests/support/every-screen.ts';
import { createDemoContent } from '#tests/support/demo-content.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let screens: ScreenState[];
let adaId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  const room = await createDemoContent(app);
  adaId = room.ada.id;
  screens = await everyScreen(app, room);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

/** Ids that stand on the page more than once: labels and descriptions would lead to the first alone. */
const repeatedIds = (page: Page) =>
  page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  });

/** How far the page moved while it came up, and how many pixels of it stick out of the window. */
const measure = (page: Page) =>
  page.evaluate(() => ({
    shift: (globalThis as unknown as { shift: number }).shift,
    moved: (globalThis as unknown as { moved: string[] }).moved,
    sticksOut: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));

async function watchShifts(session: BrowserSession) {
  await session.page.addInitScript(() => {
    // Every screen as at a first visit: the editor remembers texts that were not saved.
    localStorage.clear();
    const seen = globalThis as unknown as { shift: number; moved: string[] };
    seen.shift = 0;
    seen.moved = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        // A loaded machine paints a page in parts while it comes in.
        const isComing = !navigation!.domInteractive || entry.startTime < navigation!.domInteractive;
        if (entry.hadRecentInput || isComing) continue;
        seen.shift += entry.value;
        for (const { node, previousRect: from, currentRect: to } of entry.sources)
          seen.moved.push(
            `${node?.nodeName}.${node?.className}: y ${from.y} to ${to.y}, x ${from.x} to ${to.x}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const schemes = ['light', 'dark'] as const;

/** What is wrong with one screen: it is loaded in one scheme and examined in both. */
async function visit({ page }: BrowserSession, { name, path, act }: ScreenState): Promise<unknown[]> {
  const findings: unknown[] = [];
  await page.goto(path, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  const { shift, moved, sticksOut } = await measure(page);
  // What rounds to 0.00, as Lighthouse shows it, is a fraction of a pixel that nobody sees.
  if (shift >= 0.001) findings.push({ screen: name, shift, moved });
  await act?.(page);
  await page.waitForLoadState('networkidle');
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    findings.push(...(await examine(page, `${name}, ${colorScheme}`)));
  }
  const repeated = await repeatedIds(page);
  if (repeated.length > 0) findings.push({ screen: name, repeated });
  if (sticksOut > 0 || (await measure(page)).sticksOut > 0) findings.push({ screen: name, sticksOut });
  return findings;
}

it.each([
  { width: 360, loadedIn: 'light' },
  { width: 1280, loadedIn: 'dark' },
] as const)(
  '$width px wide, light and dark, loaded in $loadedIn',
  async ({ width, loadedIn: colorScheme }) => {
    const findings: unknown[] = [];
    // Without transitions a screen has its colours at once when the scheme changes.
    const options = { viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' } as const;
    const inside = await openBrowserSession(app, server, adaId, options);
    const outside = await openBrowserSession(app, server, null, options);
    for (const session of [inside, outside]) await watchShifts(session);
    for (const screen of screens) {
      const session = screen.loggedOut ? outside : inside;
      await session.page.emulateMedia({ colorScheme });
      findings.push(...(await visit(session, screen)));
    }
    for (const session of [inside, outside]) {
      findings.push(...session.troubles);
      await session.close();
    }
    expect(findings).toEqual([]);
  },
  600_000,
);
