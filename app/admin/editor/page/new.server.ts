import { isAlreadySaved } from '#app/admin/editor/conflict/refused-form.server.ts';
import { savedPost, type EditorResult } from '#app/admin/editor/conflict/result.ts';
import { newPostData, type EditorData } from '#app/admin/editor/model/data.server.ts';
import { parsePostForm, withinRights, readPostId } from '#app/admin/editor/model/form.server.ts';
import { createByAutosave, readEditForm } from '#app/admin/editor/saving/autosave.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
  SubmittedForm,
} from '#app/admin/frame/screen.ts';
import { requireReleasable } from '#app/admin/releases/saving.server.ts';
import { AppError, fieldError, isAppError } from '#app/platform/errors.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { readConflict } from '#app/posts/history/conflict.server.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { addPostsToRelease, requireRoom } from '#app/publishing/releases/items.server.ts';
import { act as actOnPost } from './edit.server.ts';

export function load(args: ScreenArguments): Promise<EditorData> {
  return newPostData(args);
}

export async function act(args: ActionArguments): Promise<ActionResult<EditorResult> | Done | Response> {
  const { app, form, user } = args;
  const id = readPostId(form.values.id);
  const own = async () =>
    id === null
      ? null
      : app.db.post.findUnique({ where: { id, authorId: user.id }, select: { status: true } });
  // A form that is sent again (a double click, the back button, the next autosave) edits the post that it made. One that
  // is in the trash by now keeps what was typed, as any edit of it does.
  const editInstead = async ({ status }: { status: string }) =>
    (status === TRASHED ? null : await findSameSave(args, id!)) ??
    actOnPost({
      ...args,
      params: { id: id! },
      // The first version of a new post.
      form: new SubmittedForm([['version', '1'], ...form.entries]),
    });
  const made = await own();
  if (made) return editInstead(made);
  try {
    return await create(args, id);
  } catch (error) {
    const madeMeanwhile = isAppError(error) ? await own() : null;
    if (madeMeanwhile) return editInstead(madeMeanwhile);
    throw error;
  }
}

async function create(
  args: ActionArguments,
  id: string | null,
): Promise<ActionResult<EditorResult> | Done | Response> {
  const { app, user, adminContext, address } = args;
  const { values } = args.form;
  if (values.intent === 'autosave') {
    if (id === null) throw fieldError('id', 'The form does not say which post it makes. Reload the page.');
    return createByAutosave(args, id, readEditForm(args, null, values));
  }
  const form = withinRights(parsePostForm(values, adminContext, 'new'), user, null);
  const { intent, fields, takeOverSlug } = form;
  switch (intent) {
    case 'preview':
      return { values, preview: (await renderBody(app, fields.body ?? '', fields.language)).html };
    case 'delete':
      return { location: adminUrl(adminContext.adminPath, 'posts') };
    case 'autosave':
    case 'prepare':
    case 'cancel-change':
    case 'send-test':
      throw new AppError('invalid_input', 'Save the post first.');
    default: {
      const isReleased = form.releaseId !== null && (intent === 'save' || intent === 'draft');
      if (isReleased) {
        await requireReleasable(app, user, null, form.releaseId!);
        // Before the post exists: the form is sent again for another release.
        await requireRoom({ tx: app.db }, form.releaseId!, 1);
      }
      const save = { id: id ?? undefined, intent, fields, editorId: user.id, address, takeOverSlug };
      const post = await createPost(app, save);
      if (isReleased)
        await addPostsToRelease(app, {
          releaseId: form.releaseId!,
          postIds: [post.id],
          editorId: user.id,
        });
      return savedPost(adminContext, post);
    }
  }
}

/**
 * The saved post if this form repeats the save that made it; otherwise null. A second save would make a second version,
 * which would conflict with the page that the first answer opened.
 */
async function findSameSave({ app, form, user, adminContext }: ActionArguments, postId: string) {
  if (form.values.intent === 'autosave') return null;
  // The form of a new post is based on version 0.
  const sent = { ...parsePostForm(form.values, adminContext, 'new'), version: 0 };
  if (sent.releaseId !== null) return null;
  const conflict = await readConflict(app, { postId, version: sent.version, fields: sent.fields });
  const isSame = await isAlreadySaved(app, { postId, editorId: user.id, form: sent, conflict });
  return isSame ? savedPost(adminContext, { id: postId, ...conflict }) : null;
}
