import type { Db } from '#app/platform/services.ts';
import type { ActionArguments, ActionResult } from '#app/admin/frame/screen.ts';
import { requirePostAccess, type Actor, type PostAction } from '#app/people/roles.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { TRASHED, notTrashed } from '#app/posts/fields/states.ts';
import { formValues } from '#app/posts/fields/fields.ts';
import { findLastEditor } from '#app/posts/history/revisions.server.ts';
import { withReleaseState } from '#app/releases/queries.server.ts';

/**
 * The row of a post on which the user may do an action.
 * @param id the unchecked id from the address
 * @throws AppError `not_found`, also for a post in the trash; `forbidden`.
 */
export async function findPostFor(app: Db, user: Actor, id: string | undefined, action: PostAction = 'view') {
  const row = await app.db.post.findUnique({ where: { id: id ?? '' } });
  if (!row) throw new AppError('not_found', 'This post does not exist.');
  if (row.status === TRASHED) throw new AppError('not_found', 'This post is in the trash.');
  requirePostAccess(user, await withReleaseState(app, user, row), action);
  return row;
}

/** Runs a change of a post. Answers a conflict with the current version of the post (contract, section 8). */
export async function answerConflict<T>(
  { app, form, adminContext }: Pick<ActionArguments, 'app' | 'form' | 'adminContext'>,
  postId: string,
  change: () => Promise<T>,
): Promise<T | ActionResult> {
  try {
    return await change();
  } catch (error) {
    if (!isAppError(error) || error.code !== 'conflict') throw error;
    const row = await app.db.post.findUnique({ where: { id: postId, ...notTrashed } });
    if (!row) throw error;
    const { version, updatedAt } = row;
    const fields = formValues(await readPostFields(app.db, row), adminContext.timeZone);
    const current = { fields, version, editedBy: await findLastEditor(app, row), updatedAt };
    return { status: 409, message: error.said, values: form.values, current };
  }
}
