import { joinSql, rawSql, sql, readRows } from '#app/platform/database/client.server.ts';
import { listKey, teaserKey } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import type { MediaRow } from '#app/posts/pictures/public-image.ts';
import type { PostArticle, PostCard, PostLink } from './public-post.ts';
import { toCard } from './queries.server.ts';

/** How many of a tag's newest posts are compared, so that the cost does not grow with the site. */
const CANDIDATES_PER_TAG = 24;
const TAGS_COMPARED = 5;

// Part of the SQL text instead of a parameter: SQLite keeps only as many rows as a known limit, but sorts all for a
// parameter.
const limitTo = (rows: number) => rawSql(`LIMIT ${rows}`);

/** A post with its cover; the columns of the cover are null if there is none. */
type Row = MediaRow & PostLink & { id: string; coverFocus: string };

/**
 * Published posts that share most tags with the post, filled up from its category, newest first. A cached page changes
 * with these posts, and when a post enters or leaves one of the lists.
 * @param options.besides slugs of posts that the page shows elsewhere
 */
export async function findRelatedPosts(
  app: Reading,
  post: Pick<PostArticle, 'id' | 'tagIds' | 'categoryId' | 'listedIn'>,
  { limit, besides = [] }: { limit: number; besides?: string[] },
): Promise<PostCard[]> {
  const most = limit + besides.length;
  const { id, tagIds, categoryId, listedIn } = post;
  const candidates = tagIds.slice(0, TAGS_COMPARED).map(
    (tagId) => sql`SELECT post_id, published_at, shared FROM (
      SELECT post_id, published_at, 1 AS shared FROM tag_posts
      WHERE tag_id = ${tagId} AND listed_in = ${listedIn} AND post_id <> ${id}
      ORDER BY published_at DESC, post_id DESC ${limitTo(CANDIDATES_PER_TAG)}) AS of_tag`,
  );
  if (categoryId)
    candidates.push(sql`SELECT post_id, published_at, shared FROM (
      SELECT id AS post_id, published_at, 0 AS shared FROM posts
      WHERE category_id = ${categoryId} AND listed_in = ${listedIn} AND status = 'published' AND id <> ${id}
      ORDER BY published_at DESC, id DESC ${limitTo(most)}) AS of_category`);
  if (candidates.length === 0) return [];
  app.recordKeys?.(...tagIds.slice(0, TAGS_COMPARED).map((tagId) => listKey({ tagId })));
  if (categoryId) app.recordKeys?.(listKey({ categoryId }));
  // In SQL of our own: Prisma would send a query for each tag and load all candidates, half of the cost of a page.
  const rows = await readRows<Row>(
    app.db,
    sql`
    SELECT posts.id, slug, title, language, best.published_at AS "publishedAt", cover_focus AS "coverFocus",
      path, width, height, variants, mime_type AS "mimeType", bytes, color FROM (
      SELECT post_id, published_at, sum(shared) AS shared FROM (${joinSql(candidates, ' UNION ALL ')}) AS candidates
      GROUP BY post_id, published_at ORDER BY shared DESC, published_at DESC, post_id DESC ${limitTo(most)}) AS best
    JOIN posts ON posts.id = best.post_id LEFT JOIN media ON media.id = posts.cover_media_id
    ORDER BY best.shared DESC, best.published_at DESC, best.post_id DESC`,
  );
  const related = rows.filter(({ slug }) => !besides.includes(slug)).slice(0, limit);
  app.recordKeys?.(...related.map((row) => teaserKey(row.id)));
  return related.map(toCard);
}
