import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { nameKey } from '#app/platform/text/slug.ts';
import { findTermsByName, nameTerms } from '#app/posts/terms/find.server.ts';
import { TagOvertaken } from '#app/publishing/change/public-change.server.ts';

/** A tag of a change. */
export interface TagReference {
  /** Of an existing tag, if known. */
  id?: string;
  name: string;
  /** That of an existing tag, or of the new one. */
  slug: string;
  /** The slug is made from the name: another tag that took it meanwhile is not meant. */
  isByName?: boolean;
  /** Used only if the tag is created. */
  description?: string;
}

/**
 * Sets exactly these tags on a post, in this order. Creates a tag for a name that no tag has.
 * @returns the present names of the tags, since a renamed tag is also found by the slug of its old name
 */
export async function setPostTags(
  tx: Transaction,
  clock: Clock,
  postId: string,
  tags: (string | TagReference)[],
): Promise<string[]> {
  await tx.postTag.deleteMany({ where: { postId } });
  if (tags.length === 0) return [];
  const postTags = await ensureTags(tx, clock, await withSlugs(tx, tags));
  const nameOf = new Map(postTags.map(({ id, name }) => [id, name]));
  await tx.postTag.createMany({
    data: [...nameOf.keys()].map((tagId, position) => ({ postId, tagId, position })),
  });
  return [...nameOf.values()];
}

/** The names of the tags that `setPostTags` would find: “sea” may be the tag “Sea”. The name of a new tag stays. */
export async function presentTagNames(
  tx: Pick<Transaction, 'category' | 'tag' | '$queryRaw'>,
  names: string[],
): Promise<string[]> {
  if (names.length === 0) return names;
  const known = await findTermsByName(tx, 'tag', names);
  return names.map((name) => known.get(nameKey(name))?.name ?? name);
}

async function withSlugs(tx: Transaction, tags: (string | TagReference)[]): Promise<TagReference[]> {
  const names = tags.filter((tag) => typeof tag === 'string');
  const named = await nameTerms(tx, 'tag', names);
  return tags.map((tag) => {
    if (typeof tag !== 'string') return tag;
    const { id, slug, name } = named.get(nameKey(tag))!;
    return id === null ? { name: tag, slug, isByName: true } : { id, name, slug };
  });
}

/**
 * Returns the tags in order, and creates those that do not exist.
 * @throws TagOvertaken when another change has taken a slug that was made from a name
 */
export async function ensureTags(
  tx: Transaction,
  clock: Clock,
  tags: TagReference[],
): Promise<{ id: string; name: string }[]> {
  // Of two spellings of one tag the first is used.
  const tagsBySlug = new Map(tags.map((tag) => [tag.slug, tag] as const).reverse());
  const bySlug = new Map<string, { id: string; name: string }>();
  for (const { id, slug, name } of tags) if (id !== undefined) bySlug.set(slug, { id, name });
  const unknown = tags.filter(({ id, isByName }) => id === undefined && !isByName);
  if (unknown.length > 0) {
    const where = { slug: { in: unknown.map(({ slug }) => slug) } };
    for (const { slug, id, name } of await tx.tag.findMany({
      where,
      select: { id: true, slug: true, name: true },
    }))
      bySlug.set(slug, { id, name });
  }
  const now = clock.now();
  // Always in the same order, so that two saves with the same new tags cannot wait for each other.
  for (const slug of [...tagsBySlug.keys()].filter((candidate) => !bySlug.has(candidate)).sort()) {
    // Another save may create the same tag at the same time. Prisma turns an upsert into one statement
    // (ON CONFLICT) only when `update` is not empty; two statements would collide on PostgreSQL.
    const { name, description = '' } = tagsBySlug.get(slug)!;
    const tag = await tx.tag.upsert({
      where: { slug },
      create: { id: newId(clock), slug, name, description, createdAt: now, updatedAt: now },
      update: { slug },
      select: { id: true, name: true },
    });
    bySlug.set(slug, tag);
  }
  return tags.map(({ slug, name, isByName }) => {
    const tag = bySlug.get(slug)!;
    if (isByName && nameKey(tag.name) !== nameKey(name)) throw new TagOvertaken();
    return tag;
  });
}

/** An author as a post names it: an account, or a guest by name. */
interface ResolvedAuthor {
  userId: string | null;
  /** An account's username, or a guest's name, as in the post's field. */
  name: string;
  /** The name that readers see. */
  displayName: string;
}

/** The posts of an account, and those that name it as one of their authors. */
export const postsWithAuthor = (userId: string) => ({
  OR: [{ authorId: userId }, { authors: { some: { userId } } }],
});

/** Resolves names from a form: usernames first, then display names that only one account has. All others are guests. */
export async function resolveAuthors(
  tx: Pick<Transaction, 'user'>,
  names: string[],
): Promise<ResolvedAuthor[]> {
  if (names.length === 0) return [];
  const usernames = names.map((name) => name.toLowerCase());
  const users = await tx.user.findMany({
    where: { OR: [{ username: { in: usernames } }, { displayName: { in: names } }] },
    select: { id: true, username: true, displayName: true },
    orderBy: { id: 'asc' },
  });
  const resolved = names.map((name): ResolvedAuthor => {
    const user =
      users.find(({ username }) => username === name.toLowerCase()) ??
      users.find(({ displayName }) => displayName === name);
    return user
      ? { userId: user.id, name: user.username, displayName: user.displayName }
      : { userId: null, name, displayName: name };
  });
  return resolved.filter(
    (author, index) =>
      resolved.findIndex(({ userId, name }) => userId === author.userId && name === author.name) === index,
  );
}

/** Names from a form as a post's field has them: the usernames of accounts, and the names of guests. */
export async function presentAuthorNames(tx: Pick<Transaction, 'user'>, names: string[]): Promise<string[]> {
  return (await resolveAuthors(tx, names)).map(({ name }) => name);
}

/** Sets exactly these authors on a post, in this order. */
export async function setPostAuthors(
  tx: Transaction,
  postId: string,
  authors: ResolvedAuthor[],
): Promise<void> {
  await tx.postAuthor.deleteMany({ where: { postId } });
  if (authors.length === 0) return;
  await tx.postAuthor.createMany({
    data: authors.map(({ userId, name }, position) => ({
      postId,
      position,
      userId,
      name: userId === null ? name : '',
    })),
  });
}
