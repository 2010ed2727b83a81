import { describeDifferences, type ShownDifference } from '#app/admin/differences/describe.server.ts';
import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import type { App } from '#app/app.ts';
import { mayActOnPost, type Actor } from '#app/people/roles.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { postPath } from '#app/posts/paths.ts';
import { isReleasable } from '#app/releases/setting-key.ts';
import { definitionOf, settingKeys } from '#app/settings/catalogue.ts';
import { readSettingTexts } from '#app/settings/queries.server.ts';
import { compareOtherAddresses, type AddressDifference } from './compare-terms.server.ts';

/** The most posts that are compared. */
const POSTS_MAX = 100;
/** The most posts whose texts are compared line by line; the others show only their address. */
const TEXTS_MAX = 20;
/** Stands for a slug. No address contains it. */
const HIDDEN = '…';

/** The differences between the site at an instant and the site now, by address. */
export async function compareWithNow(
  app: App,
  then: App,
  options: { instant: Date; user: Actor; timeZone: string; language: string },
): Promise<{ addresses: AddressDifference[]; settings: ShownDifference[]; more: boolean }> {
  const t = wordsFor(options);
  const since = options.instant < app.clock.now() ? options.instant : app.clock.now();
  const found = [...(await changedPosts(app.db, since)), ...(await changedPosts(then.db, since))];
  const ids = [...new Set(found)];
  const addresses: AddressDifference[] = [];
  for (const id of ids.slice(0, POSTS_MAX)) {
    const [before, after] = [
      await app.db.post.findUnique({ where: { id } }),
      await then.db.post.findUnique({ where: { id } }),
    ];
    const [was, is] = [before?.status === 'published', after?.status === 'published'];
    const shown = is ? after! : before;
    if (!shown || (!was && !is)) continue;
    const isOwn = mayActOnPost(options.user, before ?? after, 'view');
    const title = isOwn || was ? shown.title : t('Someone else’s post');
    const [from, to] = [before && postPath(before.slug), after && postPath(after.slug)];
    if (!is || (was && from !== to))
      addresses.push({ path: from!, title, what: 'vanishes', differences: null });
    if (!is) continue;
    if (!was) {
      const path = isOwn ? to! : folderOf(to!);
      addresses.push({ path, title, what: 'appears', differences: null });
      continue;
    }
    const differences =
      isOwn && addresses.length < TEXTS_MAX
        ? await describeDifferences(
            then,
            await readPostFields(app.db, before!),
            await readPostFields(then.db, after!),
            options,
          )
        : null;
    if (from !== to || differences === null || differences.length > 0)
      addresses.push({ path: to!, title, what: from === to ? 'changes' : 'appears', differences });
  }
  addresses.push(
    ...(await compareOtherAddresses(app, then.db, since, {
      postIds: ids.slice(0, POSTS_MAX),
      user: options.user,
      t,
    })),
  );
  return {
    addresses: byAddress(addresses),
    settings: await compareSettings(app, then),
    more: ids.length > POSTS_MAX,
  };
}

/**
 * The ids of the posts that may have changed since an instant. A rollback gives a post its former time of change again,
 * and an import takes it over from the old site: these posts are found by their releases and by when they were written.
 * A post that is in the trash by now is found in the copy, where it was written back.
 */
async function changedPosts(db: App['db'], since: Date): Promise<string[]> {
  const take = POSTS_MAX + 1;
  const changed = await db.post.findMany({
    where: { contentUpdatedAt: { gte: since } },
    select: { id: true },
    // Without an order Prisma sorts by id, and SQLite then walks all posts in that order.
    orderBy: { contentUpdatedAt: 'desc' },
    take,
  });
  const releases = await db.release.findMany({
    where: { publishedAt: { gte: since } },
    select: { id: true },
    orderBy: { publishedAt: 'desc' },
    take,
  });
  const released = await db.releaseItem.findMany({
    where: { releaseId: { in: releases.map(({ id }) => id) }, kind: 'post' },
    select: { subjectId: true },
    orderBy: { id: 'asc' },
    take,
  });
  const written = await db.post.findMany({
    where: { status: 'published', updatedAt: { gte: since } },
    select: { id: true },
    orderBy: { updatedAt: 'desc' },
    take,
  });
  return [...changed, ...written, ...released.map(({ subjectId }) => ({ id: subjectId }))].map(
    ({ id }) => id,
  );
}

/** The address of a post that the reader of this list may not know yet: a slug tells as much as its title. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + HIDDEN;
}

/**
 * Merges two differences of one address into a change: one post leaves the address, and a redirect or post takes it.
 */
function byAddress(found: AddressDifference[]): AddressDifference[] {
  const shown = new Map<string, AddressDifference>();
  for (const difference of found) {
    const { path } = difference;
    const isTaken = shown.has(path) && !path.endsWith(HIDDEN);
    shown.set(path, isTaken ? { ...difference, what: 'changes' } : difference);
  }
  return [...shown.values()];
}

async function compareSettings(app: App, then: App): Promise<ShownDifference[]> {
  const [{ texts: now }, { texts: later }] = [await readSettingTexts(app), await readSettingTexts(then)];
  const changed = settingKeys.filter((key) => isReleasable(key) && now[key] !== later[key]);
  return Promise.all(
    changed.map(async (key) => ({
      label: definitionOf(key).label,
      kind: 'text',
      lines: await app.workers.compareTexts(now[key] ?? '', later[key] ?? ''),
    })),
  );
}
