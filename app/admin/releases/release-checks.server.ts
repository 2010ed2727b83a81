import type { App } from '#app/app.ts';
import { checkItems, type ReleaseItemRow } from '#app/releases/check-release.server.ts';
import type { ReleaseWithItems } from '#app/releases/queries.server.ts';
import { findRivals, type RivalRelease } from '#app/releases/rival-releases.server.ts';
import { hasNewBody, ReleaseLinks } from './dead-links.server.ts';

/** What prevents a change of a release, or is worth a look before that is published. */
export interface ItemChecks {
  problem: string | null;
  /** Links that will lead to nothing that readers see; in a changed text looked at with the differences. */
  deadLinks: string[];
  /** Other unpublished releases that change the same thing or want the same address. */
  rivals: RivalRelease[];
}

/**
 * Checks everything in an unpublished release.
 * @param looksInto whose differences are shown: `true`, or `'never'` for the post of somebody else
 * @returns the changes with anything to tell, by id
 */
export async function checkRelease(
  app: App,
  release: ReleaseWithItems,
  looksInto: (item: ReleaseItemRow) => boolean | 'never',
): Promise<Map<string, ItemChecks>> {
  const found = new Map<string, ItemChecks>();
  if (release.status === 'published') return found;
  const { items } = release;
  const problems = await checkItems(app.db, items);
  const problemOf = new Map(problems.map(({ itemId, problem }) => [itemId, problem]));
  const rivalsOf = await findRivals(app, release);
  const links = new ReleaseLinks(app, items);
  for (const item of items) {
    const problem = problemOf.get(item.id) ?? null;
    const rivals = rivalsOf.get(item.id) ?? [];
    const looks = looksInto(item);
    const deadLinks = looks !== 'never' && (looks || !hasNewBody(item)) ? await links.deadIn(item) : [];
    if (problem !== null || deadLinks.length > 0 || rivals.length > 0)
      found.set(item.id, { problem, deadLinks, rivals });
  }
  return found;
}
