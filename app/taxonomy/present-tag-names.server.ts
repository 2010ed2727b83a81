import type { Transaction } from '#app/platform/database.server.ts';
import { toSlug } from '#app/platform/slug.ts';
import { tagPath } from '#app/posts/paths.ts';

/**
 * The present names of tags whose names were stored earlier. A tag that was renamed or merged since has the name to which
 * its old address leads; one that was put into the trash since is left out. Names that no tag had stay.
 */
export async function presentTagNames(
  db: Pick<Transaction, 'tag' | 'redirect' | 'trashItem'>,
  names: readonly string[],
  storedAt: Date,
): Promise<string[]> {
  const slugs = names.map(toSlug);
  const paths = slugs.map(tagPath);
  const tags = await db.tag.findMany({
    where: { OR: [{ slug: { in: slugs } }, { name: { in: [...names] } }] },
    select: { slug: true, name: true },
  });
  const isKnown = (name: string) => tags.some((tag) => tag.name === name || tag.slug === toSlug(name));
  if (names.every(isKnown)) return [...names];
  const redirects = await db.redirect.findMany({
    where: { path: { in: paths }, tagId: { not: null }, createdAt: { gte: storedAt } },
    select: { path: true, tag: { select: { name: true } } },
  });
  const nameAt = new Map(redirects.map(({ path, tag }) => [path, tag!.name]));
  const trashed = await db.trashItem.findMany({
    where: {
      kind: 'tag',
      trashedAt: { gte: storedAt },
      OR: [{ path: { in: paths } }, { title: { in: [...names] } }],
    },
    select: { path: true, title: true },
  });
  const present = names.flatMap((name) => {
    if (isKnown(name)) return [name];
    const path = tagPath(toSlug(name));
    const movedTo = nameAt.get(path);
    if (movedTo !== undefined) return [movedTo];
    return trashed.some((tag) => tag.path === path || tag.title === name) ? [] : [name];
  });
  return [...new Set(present)];
}
