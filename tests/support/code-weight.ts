import type { Page } from 'playwright-core';

/** The compressed code that a page loads, in bytes. */
export interface CodeWeight {
  /** Scripts since the last call, without the live editor's. */
  take(): Promise<number>;
  /** The live editor, which only the editor's page loads, after the page; 0 until then. */
  liveEditor(): number;
}

/** Counts the code of every page that is opened from now on, as at a first visit: without a cache. */
export async function weighCode(page: Page): Promise<CodeWeight> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  let liveBytes = 0;
  let counting: Promise<unknown>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    const isLive = request.url().includes('/live-editor-');
    counting.push(
      request.sizes().then(({ responseBodySize }) => {
        if (isLive) liveBytes = Math.max(liveBytes, responseBodySize);
        else bytes += responseBodySize;
      }),
    );
  });
  return {
    async take() {
      await Promise.all(counting);
      const total = bytes;
      [bytes, counting] = [0, []];
      return total;
    },
    liveEditor: () => liveBytes,
  };
}
