import { may, type Actor } from '#app/people/roles.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';


/**
 * The posts as permissions see them: a draft in a scheduled release counts as scheduled, since the release publishes it
 * as it is then. Otherwise somebody without the right to publish could change it after an editor has scheduled it.
 */
export async function withReleaseStates<Post extends { id: string; status: string }>(
  app: Reader,
  user: Actor,
  posts: readonly Post[],
): Promise<Post[]> {
  const drafts = posts.filter(({ status }) => status === 'draft').map(({ id }) => id);
  if (drafts.length === 0 || may(user, 'posts:publish')) return [...posts];
  const items = await app.db.releaseItem.findMany({
    where: { kind: 'post', subjectId: { in: drafts }, release: { status: 'scheduled' } },
    select: { subjectId: true },
  });
  const inRelease = new Set(items.map(({ subjectId }) => subjectId));
  return posts.map((post) => (inRelease.has(post.id) ? { ...post, status: 'scheduled' } : post));
}

/** One post as permissions see it. */
export async function withReleaseState<Post extends { id: string; status: string }>(
  app: Reader,
  user: Actor,
  post: Post,
): Promise<Post> {
  const [seen] = await withReleaseStates(app, user, [post]);
  return seen!;
}
