import type { PageKey, RecordKeys } from '#app/platform/http/page-keys.ts';
import type { WholeAnswer } from '#app/web/pages/page-source.ts';
import type { PageCacheOptions } from './page-cache.ts';

/** A page that each time was out of date before it was finished is sent, but not cached. */
const RENDERS_MAX = 4;

/**
 * Renders a page whose parts are all from the same side of every change. A page is read in several statements, and
 * shared reads are as old as the last check. If a check afterwards finds a change of this data, the page is rendered
 * again.
 * @param begin called right before each reading; returns the function that records the keys
 */
export async function renderWhole(
  { changes, watch, source }: Pick<PageCacheOptions, 'changes' | 'watch' | 'source'>,
  key: string,
  begin: () => RecordKeys,
): Promise<WholeAnswer | null> {
  for (let attempt = 1; ; attempt += 1) {
    const record = begin();
    const { moment } = changes;
    const keys: PageKey[] = [];
    const answer = await source.render(key, (...recorded) => {
      keys.push(...recorded);
      record(...recorded);
    });
    try {
      await watch.check?.();
    } catch {
      // The next request reports the outage; this page was read before it.
    }
    if (attempt === RENDERS_MAX || changes.isFresh(moment, keys)) return answer;
  }
}
