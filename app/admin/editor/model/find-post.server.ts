import type { App } from '#app/app.ts';
import { requirePostAccess } from '#app/people/post-access.ts';
import type { Actor, PostAction } from '#app/people/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { withReleaseState } from '#app/releases/scheduled-drafts.server.ts';

/**
 * The row of a post on which the user may do an action.
 * @param id the unchecked id from the address
 * @throws AppError `not_found`, also for a post in the trash; `forbidden`.
 */
export async function findPostFor(
  app: Pick<App, 'db'>,
  user: Actor,
  id: string | undefined,
  action: PostAction = 'view',
) {
  const row = await app.db.post.findUnique({ where: { id: id ?? '' } });
  if (!row) throw new AppError('not_found', 'This post does not exist.');
  if (row.status === TRASHED) throw new AppError('not_found', 'This post is in the trash.');
  requirePostAccess(user, await withReleaseState(app, user, row), action);
  return row;
}
