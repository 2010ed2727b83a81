import type { Transaction } from '#app/platform/database/client.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import { postPath } from '#app/posts/paths.ts';

type Reader = Pick<Transaction, 'post' | 'redirect'>;

const NAMES_A_QUERY = 400;

/** The posts and redirects at some addresses. */
export interface TakenAddresses {
  /** Slug → the post's id. */
  posts: Map<string, string>;
  /** Path → the post to which it redirects; null for another target. */
  redirects: Map<string, string | null>;
}

/** Reads which of these slugs are those of posts, and which of these paths are redirects, in few queries. */
export async function readTakenAddresses(
  db: Reader,
  { slugs, paths }: { slugs: Set<string>; paths: Set<string> },
): Promise<TakenAddresses> {
  const taken: TakenAddresses = { posts: new Map(), redirects: new Map() };
  for (const chunk of inChunks([...slugs], NAMES_A_QUERY))
    for (const { id, slug } of await db.post.findMany({
      where: { slug: { in: chunk } },
      select: { id: true, slug: true },
    }))
      taken.posts.set(slug, id);
  for (const chunk of inChunks([...paths], NAMES_A_QUERY))
    for (const { path, postId } of await db.redirect.findMany({
      where: { path: { in: chunk } },
      select: { path: true, postId: true },
    }))
      taken.redirects.set(path, postId);
  return taken;
}

/** Addresses and old addresses of other posts that begin with this slug's. */
export async function pathsLike(db: Reader, slug: string, ownId: string | null): Promise<Set<string>> {
  const own = ownId === null ? {} : { NOT: { id: ownId } };
  const posts = await db.post.findMany({
    where: { slug: { startsWith: slug }, ...own },
    select: { slug: true },
  });
  const redirects = await db.redirect.findMany({
    where: { path: { startsWith: postPath(slug) } },
    select: { path: true, postId: true },
  });
  const foreign = redirects.filter(({ postId }) => ownId === null || postId !== ownId);
  return new Set([...posts.map((post) => postPath(post.slug)), ...foreign.map(({ path }) => path)]);
}
