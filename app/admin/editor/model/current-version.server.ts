import type { ActionArguments, ActionResult } from '#app/admin/frame/screen.ts';
import { isAppError } from '#app/platform/errors.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { formValues } from '#app/posts/fields/values.ts';
import { findLastEditor } from '#app/posts/history/revisions.server.ts';

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
