import type { App } from '#app/app.ts';
import { isPublic, listLinksById } from './queries.server.ts';
import type { PostArticle, PostLink } from './public-post.ts';

/** How many of a tag's newest posts are looked at: a bound, so that a large site costs no more. */
const CANDIDATES_PER_TAG = 24;
const TAGS_COMPARED = 5;

/** Published posts that share most tags with the post, filled up from its category, newest first. */
export async function findRelatedPosts(
  app: Pick<App, 'db'>,
  post: Pick<PostArticle, 'id' | 'tagIds' | 'categoryId'>,
  limit: number,
): Promise<PostLink[]> {
  const ids = await sharingTags(app, post, limit);
  if (ids.length < limit && post.categoryId) {
    const fromCategory = await app.db.post.findMany({
      where: { ...isPublic, categoryId: post.categoryId, id: { notIn: [post.id, ...ids] } },
      select: { id: true },
      orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
      take: limit - ids.length,
    });
    ids.push(...fromCategory.map(({ id }) => id));
  }
  return ids.length === 0 ? [] : listLinksById(app, ids);
}

async function sharingTags(
  app: Pick<App, 'db'>,
  post: Pick<PostArticle, 'id' | 'tagIds'>,
  limit: number,
): Promise<string[]> {
  const lists = await Promise.all(
    post.tagIds.slice(0, TAGS_COMPARED).map((tagId) =>
      app.db.postTag.findMany({
        where: { tagId, postId: { not: post.id }, post: isPublic },
        select: { postId: true },
        orderBy: { postId: 'desc' },
        take: CANDIDATES_PER_TAG,
      }),
    ),
  );
  const shared = new Map<string, number>();
  for (const { postId } of lists.flat()) shared.set(postId, (shared.get(postId) ?? 0) + 1);
  // Ids are UUIDv7, so among equals the greater one is the newer post.
  return [...shared]
    .sort(([idA, countA], [idB, countB]) => countB - countA || (idA < idB ? 1 : -1))
    .slice(0, limit)
    .map(([id]) => id);
}
