import { type ShownDifference, describeDifferences } from '#app/admin/differences/describe.server.ts';
import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import type { App } from '#app/app.ts';
import { type Actor, mayActOnPost } from '#app/people/roles.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { categoryPath, decodePath, encodePath, tagPath, postPath } from '#app/posts/paths.ts';
import { hiddenTags } from '#app/posts/terms/queries.server.ts';
import { readLiveTexts, textLabels } from '#app/releases/live-texts.server.ts';
import { isReleasable } from '#app/releases/release.ts';
import { definitionOf, settingKeys } from '#app/settings/catalogue.ts';
import { readSettingTexts } from '#app/settings/queries.server.ts';
import type { Words } from '#app/ui/words.ts';

/** The most categories, tags, accounts and redirects that are compared, of each kind. */
const MAX = 100;

/** An address that exists at only one of the two instants, or whose content differs. */
export interface AddressDifference {
  path: string;
  title: string;
  what: 'appears' | 'changes' | 'vanishes';
  differences: ShownDifference[] | null;
}

interface Entry {
  path: string;
  title: string;
  texts: Record<string, string>;
}

type Db = App['db'];

/**
 * The differences of the categories, tags, authors and redirects that changed since an instant, or whose posts did: an
 * address exists only with a published post.
 * @param options `postIds`: the posts that changed; `user`: sees no tags that only unpublished posts of others have
 */
async function compareOtherAddresses(
  { db: now, workers }: Pick<App, 'db' | 'workers'>,
  then: Db,
  since: Date,
  { postIds, user, t }: { postIds: string[]; user: Actor; t: Words },
): Promise<AddressDifference[]> {
  const changed = {
    where: { updatedAt: { gte: since } },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: MAX,
  } as const;
  const named = { where: { postId: { in: postIds } } };
  const kinds = [
    {
      changed: (db: Db) => db.category.findMany(changed),
      ofPosts: async (db: Db) => {
        const where = { id: { in: postIds } };
        const posts = await db.post.findMany({ where, select: { categoryId: true } });
        return posts.flatMap(({ categoryId }) => categoryId ?? []);
      },
      read: readTerm('category', categoryPath),
    },
    {
      changed: (db: Db) => db.tag.findMany(changed),
      ofPosts: async (db: Db) =>
        (await db.postTag.findMany({ ...named, select: { tagId: true } })).map(({ tagId }) => tagId),
      read: readTerm('tag', tagPath),
    },
    {
      changed: (db: Db) => db.user.findMany(changed),
      ofPosts: async (db: Db) =>
        (await db.authorPost.findMany({ ...named, select: { userId: true } })).map(({ userId }) => userId),
      read: readAuthor,
    },
  ];
  const hidden = await hiddenTags({ db: now }, user);
  const differences: AddressDifference[] = [];
  const changedIds: string[] = [];
  for (const { changed, ofPosts, read } of kinds) {
    // Those whose own texts changed come first: posts can have more tags than are compared.
    const rows = [...(await changed(now)), ...(await changed(then))];
    const found = new Set([...rows.map(({ id }) => id), ...(await ofPosts(now)), ...(await ofPosts(then))]);
    for (const id of [...found].slice(0, 2 * MAX)) {
      if (hidden.has(id)) continue;
      const ofOne = await differencesOf(workers, await read(now, id), await read(then, id));
      if (ofOne.length > 0) changedIds.push(id);
      differences.push(...ofOne);
    }
  }
  for (const path of await redirectsSince(now, then, { since, targetIds: [...postIds, ...changedIds] }))
    differences.push(
      ...(await differencesOf(workers, await readRedirect(now, path, t), await readRedirect(then, path, t))),
    );
  return differences;
}

function readTerm(kind: 'category' | 'tag', pathOf: (slug: string) => string) {
  return async (db: Db, id: string): Promise<Entry | null> => {
    const scope = kind === 'tag' ? { tagId: id } : { categoryId: id };
    if ((await countPosts({ db }, scope)) === 0) return null;
    const texts = (await readLiveTexts(db, kind, id)) as Record<string, string> | null;
    if (!texts) return null;
    const { slug, name, ...others } = texts;
    return { path: pathOf(slug!), title: name!, texts: { name: name!, ...others } };
  };
}

async function readAuthor(db: Db, id: string): Promise<Entry | null> {
  if ((await countPosts({ db }, { authorId: id })) === 0) return null;
  const texts = (await readLiveTexts(db, 'author', id)) as Record<string, string> | null;
  const user = texts && (await db.user.findUnique({ where: { id }, select: { username: true } }));
  return user && { path: `/authors/${user.username}`, title: texts.displayName!, texts };
}

/** Where readers are led from an old address, if they are. */
async function readRedirect(db: Db, path: string, t: Words): Promise<Entry | null> {
  const target = await findRedirect({ db }, encodePath(path));
  if (target === null) return null;
  const address = decodePath(target) ?? target;
  return { path, title: t('Redirects to {address}', { address }), texts: { to: address } };
}

/** The addresses of redirects that were created since an instant, that a release changed since, or of changed things. */
async function redirectsSince(
  now: Db,
  then: Db,
  { since, targetIds }: { since: Date; targetIds: string[] },
): Promise<Set<string>> {
  const select = { path: true } as const;
  const orderBy = { createdAt: 'desc' } as const;
  const changed = async (db: Db) => [
    ...(await db.redirect.findMany({ where: { createdAt: { gte: since } }, select, orderBy, take: MAX })),
    ...(await db.redirect.findMany({ where: { postId: { in: targetIds } }, select, orderBy, take: MAX })),
    ...(await db.redirect.findMany({ where: { categoryId: { in: targetIds } }, select, orderBy, take: MAX })),
    ...(await db.redirect.findMany({ where: { tagId: { in: targetIds } }, select, orderBy, take: MAX })),
  ];
  const items = await then.releaseItem.findMany({
    where: { kind: 'redirect', release: { status: 'published', publishedAt: { gte: since } } },
    select: { subjectId: true },
    take: MAX,
  });
  const rows = [...(await changed(now)), ...(await changed(then))];
  return new Set([...rows.map(({ path }) => path), ...items.map(({ subjectId }) => subjectId)]);
}

async function differencesOf(
  workers: App['workers'],
  before: Entry | null,
  after: Entry | null,
): Promise<AddressDifference[]> {
  const addressDifferences: AddressDifference[] = [];
  if (before && before.path !== after?.path)
    addressDifferences.push({ path: before.path, title: before.title, what: 'vanishes', differences: null });
  if (!after) return addressDifferences;
  const changed = Object.entries(after.texts).filter(
    ([name, text]) => before && (before.texts[name] ?? '') !== text,
  );
  const differences = await Promise.all(
    changed.map(async ([name, text]) => ({
      label: textLabels[name] ?? name,
      kind: 'text' as const,
      lines: await workers.compareTexts(before?.texts[name] ?? '', text),
    })),
  );
  const what = before?.path === after.path ? 'changes' : 'appears';
  if (what === 'appears' || differences.length > 0)
    addressDifferences.push({ path: after.path, title: after.title, what, differences });
  return addressDifferences;
}

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
