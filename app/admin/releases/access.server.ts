import type { App } from '#app/app.ts';
import { requirePostAccess } from '#app/people/post-access.ts';
import { may, mayActOnPost, type Actor, type OwnedPost } from '#app/people/roles.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { ofKind } from '#app/releases/check-release.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';

/** Posts that are looked up in one turn of the event loop. */
const POSTS_READ = 100;

/**
 * Requires the right to publish everything in a release: only with that a user may decide about the release.
 * @throws AppError `forbidden`
 */
export async function requireReleaseAccess(
  app: Pick<App, 'db'>,
  user: Actor,
  items: readonly ReleaseItemRow[],
): Promise<void> {
  if (ofKind(items, 'setting').length > 0 && !may(user, 'settings:manage'))
    throw new AppError('forbidden', 'This release changes settings. Ask an administrator.');
  if (ofKind(items, 'category', 'tag').length > 0 && !may(user, 'taxonomy:manage'))
    throw new AppError('forbidden', 'This release changes categories or tags. Ask an editor.');
  if (ofKind(items, 'author').some(({ subjectId }) => subjectId !== user.id) && !may(user, 'users:manage'))
    throw new AppError('forbidden', 'This release changes other people’s accounts. Ask an administrator.');
  if (may(user, 'posts:all')) return;
  if (ofKind(items, 'redirect').length > 0)
    throw new AppError('forbidden', 'This release changes redirects. Ask an editor.');
  const posts = await inSteps(ofKind(items, 'post'), POSTS_READ, (batch) =>
    app.db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { authorId: true, status: true },
    }),
  );
  if (posts.some((post) => !mayActOnPost(user, post, 'publish')))
    throw new AppError('forbidden', 'This release holds posts of other people. Ask an editor.');
}

/**
 * Requires the right to schedule the post, and a release that accepts changes. Called before a post is saved to a
 * release.
 * @throws AppError `forbidden`; `invalid_input` on `releaseId`
 */
export async function requireReleasable(
  app: Pick<App, 'db'>,
  user: Actor,
  post: OwnedPost,
  releaseId: string,
): Promise<void> {
  requirePostAccess(user, post, 'schedule');
  await requireOpenRelease(app, releaseId);
}

/** Requires an existing unpublished release. @throws AppError `invalid_input` on `releaseId` */
export async function requireOpenRelease(app: Pick<App, 'db'>, releaseId: string): Promise<void> {
  const release = await app.db.release.findUnique({ where: { id: releaseId }, select: { status: true } });
  if (!release) throw fieldError('releaseId', 'This release does not exist. Choose another.');
  if (release.status === 'published')
    throw fieldError('releaseId', 'This release is published already. Choose another.');
}

/**
 * Requires the right to schedule these posts.
 * @throws AppError `invalid_input` on `field` for missing posts; `forbidden`
 */
export async function requireAddable(
  app: Pick<App, 'db'>,
  user: Actor,
  postIds: readonly string[],
  field: string,
): Promise<void> {
  const posts = await inSteps(postIds, POSTS_READ, (batch) =>
    app.db.post.findMany({
      where: { id: { in: batch }, ...notTrashed },
      select: { authorId: true, status: true },
    }),
  );
  if (posts.length < postIds.length) throw fieldError(field, 'One of the chosen posts no longer exists.');
  for (const post of posts) requirePostAccess(user, post, 'schedule');
}
