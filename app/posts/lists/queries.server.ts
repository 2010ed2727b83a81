import { type Prisma, rawSql, sql, type Database, readRows } from '#app/platform/database/client.server.ts';
import { listKey, pathKey, postKey, teaserKey, TERMS_KEY } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import { columnOf, selectFields } from '#app/platform/text/column-names.ts';
import { postStatuses, TRASHED } from '#app/posts/fields/states.ts';
import { excerptOf } from '#app/posts/markdown/excerpt.ts';
import { postPath } from '#app/posts/paths.ts';
import type { MediaRow } from '#app/posts/pictures/public-image.ts';
import { thumbnailColumns, toThumbnail, type CoverRow } from '#app/posts/pictures/queries.server.ts';
import { countPosts } from './counts.server.ts';
import {
  articleColumns,
  authorColumns,
  summaryColumns,
  toArticle,
  toSummary,
  type PostArticle,
  type PostCard,
  type PostLink,
  type PostSummary,
  ownArticleFields,
  type OwnArticleRow,
  type SummaryRow,
} from './public-post.ts';
import { readListRows } from './rows.server.ts';
import { isListed, isPublic, type ListScope } from './scope.ts';
import { readAuthor, readCategoryName, readTagName } from './shared-names.server.ts';
import { listTranslations } from './translations.server.ts';

export { isPublic, type ListScope };

/**
 * The condition for walking through all published posts by id, page after page. With an equality for the state SQLite
 * would read the state's index and sort the rest for each page.
 */
export function isPublicAfter(id: string) {
  return { id: { gt: id }, status: { notIn: hiddenStatuses } } satisfies Prisma.PostWhereInput;
}

const hiddenStatuses = [...postStatuses.filter((status) => status !== isPublic.status), TRASHED];

const newestFirst = [{ publishedAt: 'desc' }, { id: 'desc' }] satisfies Prisma.PostOrderByWithRelationInput[];
/** The columns of `toLink`, and the id. */
export const linkColumns = { id: true, slug: true, title: true, language: true, publishedAt: true } as const;
const foundColumns = {
  ...linkColumns,
  ...{ excerpt: true, status: true, bodyHtml: true, categoryId: true },
  ...thumbnailColumns,
} as const;

export interface PostPage {
  posts: PostSummary[];
  total: number;
  page: number;
  /** At least 1. */
  pageCount: number;
}

/** One page of published posts, newest first; null for a page that does not exist (but page 1 always does). */
export async function listPosts(
  app: Reading,
  { scope: partialScope = {}, page, pageSize }: { scope?: ListScope; page: number; pageSize: number },
): Promise<PostPage | null> {
  const scope = { listedIn: '', ...partialScope };
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
  app: Reading,
  scope: ListScope,
  limit: number,
): Promise<PostArticle[]> {
  app.recordKeys?.(listKey(scope));
  const rows = await readListRows(app, { listedIn: '', ...scope }, { offset: 0, limit }, articleColumns);
  app.recordKeys?.(...rows.map(({ id }) => postKey(id)), ...rows.map(({ id }) => teaserKey(id)));
  return rows.map((row) => toArticle(row));
}

/** Links to the newest published posts. */
export async function listNewestLinks(app: Reading, limit: number, listedIn = ''): Promise<PostLink[]> {
  app.recordKeys?.(listKey({ listedIn }));
  const rows = await app.db.post.findMany({
    where: isListed(listedIn),
    select: linkColumns,
    orderBy: newestFirst,
    take: limit,
  });
  app.recordKeys?.(...rows.map(({ id }) => teaserKey(id)));
  return rows.map(toLink);
}

/** A post that a search found. */
export type FoundPost = PostLink &
  Pick<PostSummary, 'id' | 'excerpt' | 'category'> &
  CoverRow & { bodyHtml: string };

/** The published posts among these ids, in the order of the ids. */
export async function listPostsById(app: Reading, ids: string[]): Promise<FoundPost[]> {
  // No condition for the state: with one, SQLite reads the index of states with every published post.
  const rows = await app.db.post.findMany({ where: { id: { in: ids } }, select: foundColumns });
  app.recordKeys?.(...rows.flatMap(({ id }) => [postKey(id), teaserKey(id)]));
  const published = rows.filter(({ status }) => status === isPublic.status);
  const named = await Promise.all(
    published.map(async ({ status: _, categoryId, ...post }) => ({
      ...post,
      category: await readCategoryName(app, categoryId),
    })),
  );
  const posts = new Map(named.map((post) => [post.id, post]));
  return ids.flatMap((id) => {
    const post = posts.get(id);
    if (!post) return [];
    const excerpt = post.excerpt || excerptOf(post.bodyHtml);
    return { ...post, excerpt, publishedAt: post.publishedAt ?? new Date(0) };
  });
}

/** A post or page as its own page shows it, without its comments. */
export type PostPageArticle = PostArticle & { hasComments: boolean };

/**
 * A published post or page.
 * @param slug as rows store it: a post's slug, a page's whole path
 */
export async function findPost(app: Reading, slug: string): Promise<PostPageArticle | null> {
  app.recordKeys?.(pathKey(postPath(slug)));
  return readArticle(app, { slug });
}

/** A published page, by its id. */
export async function findPageById(app: Reading, id: string): Promise<PostPageArticle | null> {
  app.recordKeys?.(postKey(id));
  return readArticle(app, { id });
}

async function readArticle(app: Reading, article: ArticleKey): Promise<PostPageArticle | null> {
  const articleRow = await readArticleRow(app.db, article);
  if (!articleRow) return null;
  const { row, authorId, coverMediaId, tagIds, hasAuthors, hasComments, hasTranslations } = articleRow;
  app.recordKeys?.(postKey(row.id));
  const authors = hasAuthors ? await listNamedAuthors(app, row.id) : [];
  const [author, category, coverMedia, translations, ...named] = await Promise.all([
    authors.length === 0 ? readAuthor(app, authorId) : null,
    readCategoryName(app, row.categoryId),
    // Two posts seldom have the same cover, so it is not a shared read.
    coverMediaId === null
      ? null
      : app.db.media.findUnique({ where: { id: coverMediaId }, ...articleColumns.coverMedia }),
    listTranslations(app, row, { hasTranslations }),
    ...tagIds.map(async (tagId) => {
      const tag = await readTagName(app, tagId);
      return tag && { tagId, tag };
    }),
  ]);
  const tags = named.filter((tag) => tag !== null);
  return { ...toArticle({ ...row, author, authors, category, coverMedia, tags }, translations), hasComments };
}

async function listNamedAuthors(app: Reading, postId: string) {
  const named = await app.db.postAuthor.findMany({
    where: { postId },
    select: { name: true, userId: true },
    orderBy: { position: 'asc' },
  });
  return Promise.all(named.map(async ({ name, userId }) => ({ name, user: await readAuthor(app, userId) })));
}

/** The published posts just before and just after a post. */
export async function findNeighbours(
  app: Reading,
  post: Pick<PostArticle, 'id' | 'publishedAt' | 'listedIn'>,
): Promise<{ older: PostCard | null; newer: PostCard | null }> {
  const rows = await readNeighbourRows(app.db, post);
  // The post's own key covers which posts are its neighbours. These keys cover their titles and pictures.
  app.recordKeys?.(...rows.map(({ id }) => teaserKey(id)));
  const [older, newer] = (['older', 'newer'] as const).map((side) => rows.find((row) => row.side === side));
  return { older: older ? toCard(older) : null, newer: newer ? toCard(newer) : null };
}

const authorListColumns = { id: true, ...authorColumns.select } as const;

/** An author who has published something that this list shows. */
export async function findAuthor(
  app: Reading,
  username: string,
  listedIn = '',
): Promise<Prisma.UserGetPayload<{ select: typeof authorListColumns }> | null> {
  const author = await app.db.user.findUnique({ where: { username }, select: authorListColumns });
  const isFound = author !== null && (await countPosts(app, { authorId: author.id, listedIn })) > 0;
  app.recordKeys?.(isFound ? listKey({ authorId: author.id }) : TERMS_KEY);
  return isFound ? author : null;
}

// Reads bodies, which are large, only for posts without an excerpt.
export async function summarise(app: Reading, rows: SummaryRow[]): Promise<PostSummary[]> {
  app.recordKeys?.(...rows.map(({ id }) => teaserKey(id)));
  const bare = rows.filter(({ excerpt }) => excerpt === '').map(({ id }) => id);
  const bodies =
    bare.length === 0
      ? []
      : await app.db.post.findMany({ where: { id: { in: bare } }, select: { id: true, bodyHtml: true } });
  const html = new Map(bodies.map(({ id, bodyHtml }) => [id, bodyHtml]));
  return rows.map((row) => toSummary(row, html.get(row.id)));
}

/** @param row with the columns of the cover, which are null if there is none */
export function toCard(row: LinkRow & MediaRow & { coverFocus: string }): PostCard {
  return { ...toLink(row), cover: row.path ? toThumbnail(row) : null, coverFocus: row.coverFocus };
}

export function toLink({ slug, title, language, publishedAt }: LinkRow): PostLink {
  return { slug, title, language, publishedAt: publishedAt ?? new Date(0) };
}

type LinkRow = Pick<SummaryRow, 'slug' | 'title' | 'language' | 'publishedAt'>;

/*
 * What a first render of a post reads, in SQL of our own. Prisma sends eight statements, and its own work for each
 * takes 0.15 ms, the database's 0.01 ms (measured).
 */

type Raw = Pick<Database, '$queryRaw'>;

/** What identifies one post: its slug or its id. */
export type ArticleKey = { slug: string } | { id: string };

/** A published post's own row, and the ids of its author, cover and tags, which other posts share. */
interface FoundArticle {
  row: OwnArticleRow;
  authorId: string | null;
  coverMediaId: string | null;
  /** In order. */
  tagIds: string[];
  hasAuthors: boolean;
  hasComments: boolean;
  hasTranslations: boolean;
}

/** PostgreSQL answers a condition with true or false, SQLite with 1 or 0. */
type Condition = boolean | number | bigint;

type Answer = OwnArticleRow & {
  authorId: string | null;
  coverMediaId: string | null;
  tagIds: string | null;
} & Record<'hasAuthors' | 'hasComments' | 'hasTranslations', Condition>;

const articleStart = rawSql(`
  SELECT ${selectFields('post', [...ownArticleFields, 'authorId', 'coverMediaId'])},
    (SELECT string_agg(tag_id, ' ' ORDER BY position) FROM post_tags WHERE post_id = post.id) AS "tagIds",
    EXISTS (SELECT 1 FROM post_authors WHERE post_id = post.id) AS "hasAuthors",
    EXISTS (SELECT 1 FROM comments WHERE post_id = post.id) AS "hasComments",
    EXISTS (SELECT 1 FROM posts translated
      WHERE translated.translation_of = COALESCE(post.translation_of, post.id)) AS "hasTranslations"
  FROM posts post WHERE post.status = 'published' AND `);
const articleColumn = { slug: rawSql('post.slug'), id: rawSql('post.id') };

/** A published post or page by its slug or id; null when there is none. */
async function readArticleRow(db: Raw, key: ArticleKey): Promise<FoundArticle | null> {
  const [column, value] = 'slug' in key ? [articleColumn.slug, key.slug] : [articleColumn.id, key.id];
  const [answer] = await readRows<Answer>(db, sql`${articleStart}${column} = ${value}`);
  if (!answer) return null;
  const { authorId, coverMediaId, tagIds, hasAuthors, hasComments, hasTranslations, ...row } = answer;
  return {
    row,
    authorId,
    coverMediaId,
    tagIds: tagIds?.split(' ') ?? [],
    hasAuthors: Boolean(hasAuthors),
    hasComments: Boolean(hasComments),
    hasTranslations: Boolean(hasTranslations),
  };
}

const neighbourFields = [
  ...(['id', 'slug', 'title', 'language', 'publishedAt', 'coverFocus', 'coverMediaId'] as const),
];

/** A post beside another one in its list; the columns of the cover are null if there is none. */
export interface NeighbourRow extends MediaRow, LinkRow {
  side: 'older' | 'newer';
  id: string;
  coverFocus: string;
}

const neighbourStart = (side: NeighbourRow['side']) =>
  rawSql(`SELECT '${side}' AS side, ${neighbourFields.map((field) => `found."${field}"`).join(', ')},
      path, width, height, variants, mime_type AS "mimeType", bytes, color FROM (
    SELECT ${selectFields('post', neighbourFields)} FROM posts post WHERE post.status = 'published' AND post.listed_in = `);
// Ordered by the pair, so that both databases start at the right position of the index.
const neighbourOrder = (direction: 'ASC' | 'DESC') =>
  rawSql(`ORDER BY post.published_at ${direction}, post.id ${direction} LIMIT 1) AS found
    LEFT JOIN media ON media.id = found."coverMediaId"`);
const position = rawSql(`(post.${columnOf('publishedAt')}, post.id)`);
const [olderStart, newerStart] = [neighbourStart('older'), neighbourStart('newer')];
const [newestNeighbour, oldestNeighbour] = [neighbourOrder('DESC'), neighbourOrder('ASC')];

/** The published posts before and after a post in its list, at most one on each side. */
async function readNeighbourRows(
  db: Raw,
  { id, publishedAt, listedIn }: Pick<PostArticle, 'id' | 'publishedAt' | 'listedIn'>,
): Promise<NeighbourRow[]> {
  return readRows<NeighbourRow>(
    db,
    sql`
    ${olderStart}${listedIn} AND ${position} < (${publishedAt}, ${id}) ${newestNeighbour} UNION ALL
    ${newerStart}${listedIn} AND ${position} > (${publishedAt}, ${id}) ${oldestNeighbour}`,
  );
}
