import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.mjs';
import { atFileEnd } from './file-end.ts';

// Without these Chromium looks up hosts of its maker's at every start, which a closed network refuses.
const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const args = [...quiet, '--disable-component-update', '--disable-sync'];

let launched: Promise<Browser> | undefined;

/** The test file's browser: Debian's Chromium, started at the first call and closed at the end. */
export function browser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium was found. `npm run test:browser` installs it, or says how to.');
  launched ??= chromium.launch({
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    args,
  });
  return launched;
}

atFileEnd(async () => {
  await (await launched)?.close();
  launched = undefined;
});

/** How much of the page moved, and what: a shift that comes once in many runs has to say what it was. */
export function layoutShift(page: Page): Promise<{ sum: number; moved: string }> {
  return page.evaluate(
    () =>
      new Promise<{ sum: number; moved: string }>((resolve) => {
        let sum = 0;
        const moved: string[] = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as LayoutShift[]) {
            sum += entry.value;
            for (const { node, previousRect: from, currentRect: to } of entry.sources)
              moved.push(
                `${Math.round(entry.startTime)} ms: ${node?.nodeName} ${from.y}+${from.height} to ${to.y}+${to.height}`,
              );
          }
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve({ sum, moved: moved.join('; ') }), 300);
      }),
  );
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}
