import type { App } from '#app/app.ts';
import { inTurns } from '#app/platform/jobs/event-loop.server.ts';
import { type Message } from '#app/platform/message.ts';
import { checkItems } from '#app/releases/check-release.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';
import type { ReleaseWithItems } from '#app/releases/queries.server.ts';
import { findRivals, type RivalRelease } from '#app/releases/rivals.server.ts';
import { hasNewBody, ReleaseLinks } from './dead-links.server.ts';

/** What blocks a change of a release, and warnings about it. */
export interface ItemChecks {
  problem: Message | null;
  /** Links that will lead nowhere. A changed text is checked only when its differences are shown. */
  deadLinks: string[];
  /** Other unpublished releases that change the same thing or want the same address. */
  rivals: RivalRelease[];
}

/** Whether the links of a change are checked. A new text takes long, since it must be rendered. */
type LinkCheck = 'always' | 'unless its text is new' | 'never';

/**
 * Checks everything in an unpublished release.
 * @returns the findings by the id of the change; changes without findings are left out
 */
export async function checkRelease(
  app: App,
  release: ReleaseWithItems,
  linkCheckOf: (item: ReleaseItemRow) => LinkCheck,
): Promise<Map<string, ItemChecks>> {
  const checksByItem = new Map<string, ItemChecks>();
  if (release.status === 'published') return checksByItem;
  const { items } = release;
  const problems = await checkItems(app.db, items, release.publishAt ?? app.clock.now());
  const problemOf = new Map(problems.map(({ itemId, problem }) => [itemId, problem]));
  const rivalsOf = await findRivals(app, release);
  const links = new ReleaseLinks(app, items);
  for await (const item of inTurns(items)) {
    const problem = problemOf.get(item.id) ?? null;
    const rivals = rivalsOf.get(item.id) ?? [];
    const linkCheck = linkCheckOf(item);
    const areLinksChecked =
      linkCheck === 'always' || (linkCheck === 'unless its text is new' && !hasNewBody(item));
    const deadLinks = areLinksChecked ? await links.deadIn(item) : [];
    if (problem !== null || deadLinks.length > 0 || rivals.length > 0)
      checksByItem.set(item.id, { problem, deadLinks, rivals });
  }
  return checksByItem;
}
