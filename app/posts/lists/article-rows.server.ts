/*
 * What a first render of a post reads, in SQL of our own. Prisma sends eight statements, and its own work for each
 * takes 0.15 ms, the database's 0.01 ms (measured).
 */
import { rawSql, sql, type Database } from '#app/platform/database/client.server.ts';
import { readRows } from '#app/platform/database/read-rows.server.ts';
import { columnOf, selectFields } from '#app/platform/text/column-names.ts';
import type { MediaRow } from '#app/posts/pictures/public-image.ts';
import { ownArticleFields, type OwnArticleRow, type PostArticle } from './public-post.ts';

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
export async function readArticleRow(db: Raw, key: ArticleKey): Promise<FoundArticle | null> {
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
  'id',
  'slug',
  'title',
  'language',
  'publishedAt',
  'coverFocus',
  'coverMediaId',
] as const;

/** A post beside another one in its list; the columns of the cover are null if there is none. */
export interface NeighbourRow extends MediaRow {
  side: 'older' | 'newer';
  id: string;
  slug: string;
  title: string;
  language: string;
  publishedAt: Date;
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
export async function readNeighbourRows(
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
