import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { toSlug } from '#app/platform/slug.ts';

/** A tag by its name, or by its slug if the name is ambiguous. */
export interface TagReference {
  name: string;
  slug: string;
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
  const known = await readKnown(tx, tags);
  const postTags = await ensureTags(tx, clock, withSlugs(tags, known), known);
  const nameOf = new Map(postTags.map(({ id, name }) => [id, name]));
  await tx.postTag.createMany({
    data: [...nameOf.keys()].map((tagId, position) => ({ postId, tagId, position })),
  });
  return [...nameOf.values()];
}

/** The names of the tags that `setPostTags` would find: “sea” may be the tag “Sea”. The name of a new tag stays. */
export async function presentTagNames(tx: Pick<Transaction, 'tag'>, names: string[]): Promise<string[]> {
  if (names.length === 0) return names;
  const known = await readKnown(tx, names);
  const nameOf = new Map(known.map(({ slug, name }) => [slug, name]));
  return withSlugs(names, known).map(({ slug, name }) => nameOf.get(slug) ?? name);
}

function readKnown(
  tx: Pick<Transaction, 'tag'>,
  tags: (string | TagReference)[],
): Promise<(TagReference & { id: string })[]> {
  const names = tags.filter((tag) => typeof tag === 'string');
  const slugs = tags.map((tag) => (typeof tag === 'string' ? toSlug(tag) : tag.slug));
  return tx.tag.findMany({
    where: { OR: [{ slug: { in: slugs } }, { name: { in: names } }] },
    orderBy: { id: 'asc' },
    select: { id: true, slug: true, name: true },
  });
}

// A renamed tag keeps its slug, so the lookup by name comes before the slug that the name would give.
function withSlugs(tags: (string | TagReference)[], known: TagReference[]): TagReference[] {
  return tags.map((tag) => {
    if (typeof tag !== 'string') return tag;
    const slugs = known.filter(({ name }) => name === tag).map(({ slug }) => slug);
    const own = toSlug(tag);
    return { name: tag, slug: slugs.length === 0 || slugs.includes(own) ? own : slugs[0]! };
  });
}

/** Returns the tags in order, and creates those that do not exist. @param known existing tags among them */
export async function ensureTags(
  tx: Transaction,
  clock: Clock,
  tags: TagReference[],
  known: (TagReference & { id: string })[],
): Promise<{ id: string; name: string }[]> {
  // Of two spellings of one tag the first is used.
  const tagsBySlug = new Map(tags.map((tag) => [tag.slug, tag] as const).reverse());
  const bySlug = new Map(known.map(({ slug, id, name }) => [slug, { id, name }]));
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
  return tags.map(({ slug }) => bySlug.get(slug)!);
}
