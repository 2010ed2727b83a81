import { may, type Actor } from '#app/people/roles.ts';
import { listKey, TERMS_KEY } from '#app/platform/http/page-keys.ts';
import type { Reading, Db } from '#app/platform/services.ts';
import { postStatuses, TRASHED } from '#app/posts/fields/states.ts';
import { countEachList, countPosts } from '#app/posts/lists/counts.server.ts';
import { textOrder } from '#app/posts/lists/translations.server.ts';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import { findPicture, findPictures } from '#app/posts/pictures/queries.server.ts';
import { termTable, type TermKind } from './find.server.ts';

/** A category or tag that has published posts. */
export interface Term {
  id: string;
  slug: string;
  name: string;
  description: string;
  picture: PublicImage | null;
  /** Number of its published posts. */
  postCount: number;
}

const columns = { id: true, slug: true, name: true, description: true, picture: true } as const;

/** Every public category or tag with its count, by name. */
export async function listTerms(app: Reading, kind: TermKind, listedIn = ''): Promise<Term[]> {
  const terms = await termTable(app.db, kind).findMany({ select: columns, orderBy: { id: 'asc' } });
  // A term that no published post has could betray a plan, so it is not public either.
  app.recordKeys?.(TERMS_KEY);
  const counts = await countEachList(app, kind, listedIn);
  const counted = terms.map((term) => ({ ...term, postCount: counts.get(term.id)?.published ?? 0 }));
  const shown = counted.filter(({ postCount }) => postCount > 0);
  const pictures = await findPictures(
    app,
    shown.map(({ picture }) => picture),
  );
  const order = await textOrder(app, listedIn);
  return shown
    .map((term) => ({ ...term, picture: pictures.get(term.picture) ?? null }))
    .sort((a, b) => order(a.name, b.name));
}

const scopeOf = (kind: TermKind, id: string) => (kind === 'tag' ? { tagId: id } : { categoryId: id });

/** A public category or tag. */
export async function findTerm(
  app: Reading,
  kind: TermKind,
  slug: string,
  listedIn = '',
): Promise<Omit<Term, 'postCount'> | null> {
  const term = await termTable(app.db, kind).findUnique({ where: { slug }, select: columns });
  const scope = term && scopeOf(kind, term.id);
  if (!scope || (await countPosts(app, { ...scope, listedIn })) === 0) {
    app.recordKeys?.(TERMS_KEY);
    return null;
  }
  app.recordKeys?.(listKey(scope));
  return { ...term, picture: await findPicture(app, term.picture) };
}

/** The id of a category or tag with published posts in any list of the site; null for any other. */
export async function findTermId(app: Reading, kind: TermKind, slug: string): Promise<string | null> {
  const term = await termTable(app.db, kind).findUnique({ where: { slug }, select: { id: true } });
  return term && (await countPosts(app, scopeOf(kind, term.id))) > 0 ? term.id : null;
}

/** A category or tag in the lists of the backend: every one, with posts in every state. */
export interface TermListing {
  id: string;
  slug: string;
  name: string;
  posts: number;
  published: number;
}

/** Every category, or every tag, by name. */
export async function listAllTerms(app: Reading, kind: TermKind): Promise<TermListing[]> {
  const select = { id: true, slug: true, name: true } as const;
  const terms = await termTable(app.db, kind).findMany({ select });
  const counts = await countEachList(app, kind);
  return terms
    .map((term) => ({ ...term, ...(counts.get(term.id) ?? { posts: 0, published: 0 }) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The most unpublished posts of a person whose tags are read, the last changed ones. */
const OWN_POSTS_READ = 500;

const unpublished = [...postStatuses.filter((status) => status !== 'published'), TRASHED];

/** The first tags by name of which a person may know, as `hiddenTags` says. */
export async function listVisibleTags(
  app: Db,
  user: Actor,
  take: number,
): Promise<{ id: string; name: string }[]> {
  const hidden = await hiddenTags(app, user);
  const tags = await app.db.tag.findMany({
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: take + hidden.size,
  });
  return tags.filter(({ id }) => !hidden.has(id)).slice(0, take);
}

/**
 * The ids of the tags that would betray what others plan: their unpublished posts, and no others, have them. Tags that
 * no post has are not among them.
 */
export async function hiddenTags(app: Db, user: Actor): Promise<ReadonlySet<string>> {
  if (may(user, 'posts:all')) return new Set();
  const counts = await countEachList(app, 'tag');
  const hidden = new Set([...counts].flatMap(([id, { published }]) => (published === 0 ? [id] : [])));
  for (const id of await trashedTags(app)) if (!counts.get(id)?.published) hidden.add(id);
  if (hidden.size === 0) return hidden;
  const own = await app.db.post.findMany({
    where: { authorId: user.id, status: { in: unpublished } },
    select: { tags: { select: { tagId: true } } },
    orderBy: { updatedAt: 'desc' },
    take: OWN_POSTS_READ,
  });
  for (const { tags } of own) for (const { tagId } of tags) hidden.delete(tagId);
  return hidden;
}

/** The tags of posts in the trash, which the counts leave out. */
async function trashedTags({ db }: Db): Promise<string[]> {
  const trashed = await db.post.findMany({
    where: { status: TRASHED },
    select: { tags: { select: { tagId: true } } },
    orderBy: { updatedAt: 'desc' },
    take: OWN_POSTS_READ,
  });
  return trashed.flatMap(({ tags }) => tags.map(({ tagId }) => tagId));
}
