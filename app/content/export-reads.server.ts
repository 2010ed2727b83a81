import { notTrashed } from '#app/posts/states.ts';
import type { Transaction } from '#app/platform/database.server.ts';

export type PostToExport = Awaited<ReturnType<typeof readPostsAfter>>[number];

/**
 * The next posts by id with all that an export says of them. One query after the other: PostgreSQL's
 * client takes no two at a time in a transaction.
 */
export async function readPostsAfter(tx: Transaction, afterId: string, take: number) {
  const posts = await tx.post.findMany({
    where: { id: { gt: afterId }, ...notTrashed },
    orderBy: { id: 'asc' },
    take,
    omit: { bodyHtml: true, tableOfContents: true },
  });
  const postId = { in: posts.map(({ id }) => id) };
  const all = <Id>(ids: (Id | null)[]) => ({ id: { in: ids.filter((id) => id !== null) } });
  const categories = await tx.category.findMany({ where: all(posts.map((post) => post.categoryId)) });
  const authors = await tx.user.findMany({
    where: all(posts.map((post) => post.authorId)),
    select: { id: true, displayName: true, username: true },
  });
  const covers = await tx.media.findMany({ where: all(posts.map((post) => post.coverMediaId)) });
  const redirects = await tx.redirect.findMany({ where: { postId }, select: { path: true, postId: true } });
  const links = await tx.postTag.findMany({ where: { postId }, orderBy: { position: 'asc' } });
  const tags = await tx.tag.findMany({ where: all(links.map(({ tagId }) => tagId)) });
  return posts.map((post) => ({
    ...post,
    category: categories.find(({ id }) => id === post.categoryId) ?? null,
    author: authors.find(({ id }) => id === post.authorId) ?? null,
    coverPath: covers.find(({ id }) => id === post.coverMediaId)?.path ?? null,
    redirects: redirects.filter((redirect) => redirect.postId === post.id).map(({ path }) => path),
    tags: links
      .filter((link) => link.postId === post.id)
      .map(({ tagId }) => tags.find(({ id }) => id === tagId)!),
  }));
}

/** The display names that more than one author of a post has. */
export async function readNamesakes(tx: Transaction): Promise<Set<string>> {
  const authors = await tx.user.findMany({ where: { posts: { some: {} } }, select: { displayName: true } });
  const names = authors.map(({ displayName }) => displayName);
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}
