import type { App } from '#app/app.ts';
import { joinSql, sql } from '#app/platform/database.server.ts';
import { teaserKey } from '#app/platform/page-keys.ts';
import { isListed } from './lists.ts';
import { newestFirst, toLink } from './queries.server.ts';
import type { PostArticle, PostLink } from './public-post.ts';

/** How many of a tag's newest posts are looked at: a bound, so that a large site costs no more. */
const CANDIDATES_PER_TAG = 24;
const TAGS_COMPARED = 5;

type Row = { id: string; slug: string; title: string; publishedAt: Date | null };

/**
 * Published posts that share most tags with the post, filled up from its category, newest first. A kept page follows
 * what becomes of these posts; that a newer one would fit better it shows when it is rendered for another reason.
 */
export async function findRelatedPosts(
  app: Pick<App, 'db' | 'recordKeys'>,
  post: Pick<PostArticle, 'id' | 'tagIds' | 'categoryId' | 'listedIn'>,
  limit: number,
): Promise<PostLink[]> {
  const related = await sharingTags(app, post, limit);
  if (related.length < limit && post.categoryId) {
    const fromCategory = await app.db.post.findMany({
      where: {
        ...isListed(post.listedIn),
        categoryId: post.categoryId,
        id: { notIn: [post.id, ...related.map(({ id }) => id)] },
      },
      select: { id: true, slug: true, title: true, publishedAt: true },
      orderBy: newestFirst,
      take: limit - related.length,
    });
    related.push(...fromCategory);
  }
  app.recordKeys?.(...related.map(({ id }) => teaserKey(id)));
  return related.map(toLink);
}

// In SQL of our own: Prisma would need a query for each tag and bring all candidates here, half of a page's cost.
async function sharingTags(
  app: Pick<App, 'db'>,
  post: Pick<PostArticle, 'id' | 'tagIds' | 'listedIn'>,
  limit: number,
): Promise<Row[]> {
  if (post.tagIds.length === 0) return [];
  const candidates = post.tagIds.slice(0, TAGS_COMPARED).map(
    (tagId) => sql`SELECT post_id, published_at FROM (
      SELECT post_id, published_at FROM tag_posts
      WHERE tag_id = ${tagId} AND listed_in = ${post.listedIn} AND post_id <> ${post.id}
      ORDER BY published_at DESC, post_id DESC LIMIT ${CANDIDATES_PER_TAG}) AS newest`,
  );
  return app.db.$queryRaw<Row[]>`
    SELECT id, slug, title, best.published_at AS "publishedAt" FROM (
      SELECT post_id, published_at, count(*) AS shared FROM (${joinSql(candidates, ' UNION ALL ')}) AS candidates
      GROUP BY post_id, published_at ORDER BY shared DESC, published_at DESC, post_id DESC LIMIT ${limit}) AS best
    JOIN posts ON posts.id = best.post_id ORDER BY shared DESC, best.published_at DESC, post_id DESC`;
}
