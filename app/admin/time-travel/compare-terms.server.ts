import type { ShownDifference } from '#app/admin/differences/describe.server.ts';
import type { App } from '#app/app.ts';
import type { Actor } from '#app/people/roles.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { categoryPath, decodePath, encodePath, tagPath } from '#app/posts/paths.ts';
import { hiddenTags } from '#app/posts/terms/visible-tags.server.ts';
import { readLiveTexts, textLabels } from '#app/releases/live-texts.server.ts';
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
export async function compareOtherAddresses(
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
