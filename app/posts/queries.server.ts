import type { App } from '#app/app.ts';
import type { Prisma } from '#app/platform/database.server.ts';
import { listKey, postKey, teaserKey } from '#app/platform/page-keys.ts';
import { sharedByVersion } from '#app/platform/versioned-cache.ts';
import { readListRows } from './list-rows.server.ts';
import { isPublic, type ListScope } from './list-scope.ts';
import { categoryPath, encodePath, postPath, tagPath } from './paths.ts';
import { countPosts } from './post-counts.server.ts';
import {
  articleColumns,
  ownArticleColumns,
  summaryColumns,
  toArticle,
  toSummary,
  type PostArticle,
  type PostLink,
  type PostSummary,
} from './public-post.ts';
import { postStatuses, TRASHED } from './states.ts';

type Reader = Pick<App, 'db' | 'recordKeys'>;

export { isPublic, type ListScope };

/**
 * The condition for walking through all published posts by id, page after page. With an equality for the state
 * SQLite would take the state's index and sort all of the rest for each page.
 */
export function isPublicAfter(id: string) {
  return { id: { gt: id }, status: { notIn: hiddenStatuses } } satisfies Prisma.PostWhereInput;
}

const hiddenStatuses = [...postStatuses.filter((status) => status !== isPublic.status), TRASHED];

export const newestFirst = [
  { publishedAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.PostOrderByWithRelationInput[];
const linkColumns = { id: true, slug: true, title: true, publishedAt: true } as const;

export interface PostPage {
  posts: PostSummary[];
  total: number;
  page: number;
  /** At least 1. */
  pageCount: number;
}

/** One page of published posts, newest first; null for a page that does not exist (but page 1 always does). */
export async function listPosts(
  app: Reader,
  { scope = {}, page, pageSize }: { scope?: ListScope; page: number; pageSize: number },
): Promise<PostPage | null> {
  app.recordKeys?.(listKey(scope));
  const total = await countPosts(app, scope);
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  if (page < 1 || page > pageCount) return null;
  const part = { offset: (page - 1) * pageSize, limit: pageSize };
  const rows = await readListRows(app, scope, part, summaryColumns);
  return { posts: await summarise(app, rows), total, page, pageCount };
}

/** The newest published posts with their bodies, for feeds. */
export async function listNewestArticles(
  app: Reader,
  scope: ListScope,
  limit: number,
): Promise<PostArticle[]> {
  app.recordKeys?.(listKey(scope));
  const rows = await readListRows(app, scope, { offset: 0, limit }, articleColumns);
  app.recordKeys?.(...rows.map(({ id }) => postKey(id)), ...rows.map(({ id }) => teaserKey(id)));
  return rows.map(toArticle);
}

/** Links to the newest published posts. */
export async function listNewestLinks(app: Reader, limit: number): Promise<PostLink[]> {
  app.recordKeys?.(listKey({}));
  const rows = await app.db.post.findMany({
    where: isPublic,
    select: linkColumns,
    orderBy: newestFirst,
    take: limit,
  });
  app.recordKeys?.(...rows.map(({ id }) => teaserKey(id)));
  return rows.map(toLink);
}

/** Summaries of the given posts that are published, in the order of the ids. */
export async function listPostsById(app: Reader, ids: string[]): Promise<PostSummary[]> {
  // With the state among the conditions SQLite reads the index of states: every published post.
  const rows = await app.db.post.findMany({
    where: { id: { in: ids } },
    select: { ...summaryColumns, status: true },
  });
  const published = rows.filter(({ status }) => status === isPublic.status);
  const posts = new Map((await summarise(app, published)).map((post) => [post.id, post]));
  return ids.flatMap((id) => posts.get(id) ?? []);
}

/**
 * A published post.
 * @param contentVersion pages of one version share what they name; undefined reads it anew
 */
export async function findPost(
  app: Reader,
  slug: string,
  contentVersion?: number,
): Promise<PostArticle | null> {
  const row = await app.db.post.findUnique({ where: { slug, ...isPublic }, select: ownArticleColumns });
  if (!row) return null;
  app.recordKeys?.(postKey(row.id));
  const { authorId, coverMediaId, tags, ...own } = row;
  const share = <T>(kind: string, id: string | null, read: (where: { id: string }) => Promise<T | null>) =>
    id === null ? null : sharedByVersion(app, contentVersion, `${kind} ${id}`, () => read({ id }));
  const [author, category, coverMedia, ...named] = await Promise.all([
    share('author', authorId, (where) => app.db.user.findUnique({ where, ...articleColumns.author })),
    share('category', row.categoryId, (where) =>
      app.db.category.findUnique({ where, ...articleColumns.category }),
    ),
    // Seldom in two posts, so it is not shared.
    coverMediaId === null
      ? null
      : app.db.media.findUnique({ where: { id: coverMediaId }, ...articleColumns.coverMedia }),
    ...tags.map(async ({ tagId }) => {
      const tag = await share('tag', tagId, (where) =>
        app.db.tag.findUnique({ where, ...articleColumns.tags.select.tag }),
      );
      return tag && { tagId, tag };
    }),
  ]);
  return toArticle({ ...own, author, category, coverMedia, tags: named.filter((tag) => tag !== null) });
}

/** The published posts just before and just after a post. */
export async function findNeighbours(
  app: Reader,
  post: Pick<PostArticle, 'id' | 'publishedAt'>,
): Promise<{ older: PostLink | null; newer: PostLink | null }> {
  const { id, publishedAt } = post;
  const [older, newer] = await Promise.all([
    app.db.post.findFirst({
      where: {
        ...isPublic,
        // Implied by the rest, and what lets SQLite begin at the right place of the index.
        publishedAt: { lte: publishedAt },
        OR: [{ publishedAt: { lt: publishedAt } }, { id: { lt: id } }],
      },
      select: linkColumns,
      orderBy: newestFirst,
    }),
    app.db.post.findFirst({
      where: {
        ...isPublic,
        publishedAt: { gte: publishedAt },
        OR: [{ publishedAt: { gt: publishedAt } }, { id: { gt: id } }],
      },
      select: linkColumns,
      orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
    }),
  ]);
  // Which posts they are belongs to the post's own key.
  for (const neighbour of [older, newer]) if (neighbour) app.recordKeys?.(teaserKey(neighbour.id));
  return { older: older && toLink(older), newer: newer && toLink(newer) };
}

/** An author who has published something. */
export async function findAuthor(
  app: Reader,
  username: string,
): Promise<{ id: string; username: string; displayName: string; bio: string } | null> {
  const author = await app.db.user.findUnique({
    where: { username },
    select: { id: true, username: true, displayName: true, bio: true },
  });
  if (!author || (await countPosts(app, { authorId: author.id })) === 0) return null;
  app.recordKeys?.(listKey({ authorId: author.id }));
  return author;
}

/**
 * Where an old path leads now, ready for a `Location` header; null without a redirect, or when its target
 * is not public. `path`: a request's path as it came, percent-encoded.
 */
export async function findRedirect(app: Reader, path: string): Promise<string | null> {
  const decoded = decodePath(path);
  if (decoded === null) return null;
  const row = await app.db.redirect.findUnique({
    where: { path: decoded },
    select: {
      post: { select: { slug: true, status: true } },
      category: { select: { id: true, slug: true } },
      tag: { select: { id: true, slug: true } },
    },
  });
  const current = row && (await currentPath(app, row));
  return current && current !== decoded ? encodePath(current) : null;
}

async function currentPath(
  app: Reader,
  row: {
    post: { slug: string; status: string } | null;
    category: { id: string; slug: string } | null;
    tag: { id: string; slug: string } | null;
  },
): Promise<string | null> {
  const { post, category, tag } = row;
  if (post) return post.status === isPublic.status ? postPath(post.slug) : null;
  if (category)
    return (await countPosts(app, { categoryId: category.id })) > 0 ? categoryPath(category.slug) : null;
  return tag && (await countPosts(app, { tagId: tag.id })) > 0 ? tagPath(tag.slug) : null;
}

function decodePath(path: string): string | null {
  try {
    // Old addresses were often linked with a slash at the end; they are stored without it.
    const decoded = decodeURIComponent(path)
      .normalize('NFC')
      .replace(/(.)\/+$/, '$1');
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

type SummaryRow = Prisma.PostGetPayload<{ select: typeof summaryColumns }>;

// Bodies are large: only those are read that an excerpt has to come from.
export async function summarise(app: Reader, rows: SummaryRow[]): Promise<PostSummary[]> {
  app.recordKeys?.(...rows.map(({ id }) => teaserKey(id)));
  const bare = rows.filter(({ excerpt }) => excerpt === '').map(({ id }) => id);
  const bodies =
    bare.length === 0
      ? []
      : await app.db.post.findMany({ where: { id: { in: bare } }, select: { id: true, bodyHtml: true } });
  const html = new Map(bodies.map(({ id, bodyHtml }) => [id, bodyHtml]));
  return rows.map((row) => toSummary(row, html.get(row.id)));
}

export function toLink({ slug, title, publishedAt }: LinkRow): PostLink {
  return { slug, title, publishedAt: publishedAt ?? new Date(0) };
}

interface LinkRow {
  slug: string;
  title: string;
  publishedAt: Date | null;
}
