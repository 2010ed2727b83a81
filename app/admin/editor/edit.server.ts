import { redirect } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { isAppError } from '#app/platform/errors.ts';
import { asUnavailable } from '#app/platform/failure.server.ts';
import { readConflict } from '#app/posts/conflict.server.ts';
import { readScheduledUpdate } from '#app/posts/scheduled-update.server.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { findAutosave, readRevision } from '#app/posts/revisions.server.ts';
import type { PostStatus } from '#app/posts/states.ts';
import { deletePost } from '#app/publishing/delete-post.server.ts';
import { cancelScheduledUpdate, preparePostChange } from '#app/publishing/schedule-update.server.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import { editPost } from '#app/publishing/save-post.server.ts';
import { readConflictPage } from './conflict.server.ts';
import { formValues, mayDo, readChoices, type EditorData } from './editor-data.server.ts';
import { missingVersion, parsePostForm, withinRights, type PostForm } from './editor-form.server.ts';
import { findPostFor } from './find-post.server.ts';
import { isAlreadySaved } from './already-saved.server.ts';

export async function load({
  app,
  params,
  adminContext,
  user,
  request,
}: ScreenArguments): Promise<EditorData> {
  const row = await findPostFor(app, user, params.id);
  const query = new URL(request.url).searchParams;
  // "Go on with that text": a revision's fields in the form, over the version that is current.
  const taken = query.get('with');
  const fields = taken ? (await readRevision(app, row.id, taken)).fields : await readPostFields(app.db, row);
  const [choices, author, autosave, change] = await Promise.all([
    readChoices(app, fields.coverMediaId),
    row.authorId
      ? app.db.user.findUnique({ where: { id: row.authorId }, select: { displayName: true } })
      : null,
    findAutosave(app, { postId: row.id, editorId: user.id }),
    readScheduledUpdate(app, row.id),
  ]);
  return {
    post: {
      id: row.id,
      slug: row.slug,
      version: row.version,
      status: row.status as PostStatus,
      author: author?.displayName ?? null,
      updatedAt: row.updatedAt,
      createdAt: row.createdAt,
      autosave: autosave && autosave.id !== taken ? { id: autosave.id, at: autosave.createdAt } : null,
      change: change && { at: change.changeAt, isReadable: change.fields !== null },
    },
    postId: row.id,
    values: formValues(fields, adminContext.timeZone),
    choices,
    now: app.clock.now(),
    may: mayDo(user, row),
    notice: taken ? 'This is the earlier text. Save to keep it.' : null,
  };
}

export async function act(args: ScreenArguments): Promise<ActionResult | Response> {
  const { app, request, params, user, adminContext, address } = args;
  const row = await findPostFor(app, user, params.id);
  const postId = row.id;
  const values = await readForm(request);
  let form: PostForm | undefined;
  try {
    form = withinRights(parsePostForm(values, adminContext, 'edit'), user, row);
    if (form.intent === 'preview')
      return { values, preview: (await renderBody(app, form.fields.body ?? '')).html };
    if (form.intent === 'delete') {
      await deletePost(app, { postId, editorId: user.id, address });
      return redirect(adminUrl(adminContext.adminPath, 'posts'));
    }
    await carryOut(app, postId, form, { editorId: user.id, address });
    return redirect(adminUrl(adminContext.adminPath, 'posts', postId));
  } catch (failure) {
    const error = asUnavailable(failure);
    if (!isAppError(error) || error.code === 'not_found') throw error;
    if (error.code === 'conflict' && form)
      return showConflict(args, { postId, form, values, message: error.message });
    return { status: error.status, message: error.message, errors: error.fields, values };
  }
}

async function carryOut(
  app: App,
  postId: string,
  form: PostForm,
  by: { editorId: string; address: string },
): Promise<void> {
  const { intent, fields, version, takeOverSlug, changeAt } = form;
  if (intent === 'cancel-change') {
    // Gone already (a double click, or its time has come) is what was asked for.
    if (await readScheduledUpdate(app, postId)) await cancelScheduledUpdate(app, postId);
    return;
  }
  if (version === undefined) throw missingVersion();
  if (intent === 'prepare')
    await preparePostChange(app, { postId, version, fields, changeAt, editorId: by.editorId });
  else if (intent !== 'preview' && intent !== 'delete')
    await editPost(app, { postId, version, intent, fields, takeOverSlug, ...by });
}

/** The 409 page, unless it is our own save that came twice. */
async function showConflict(
  { app, user, adminContext }: ScreenArguments,
  came: { postId: string; form: PostForm; values: Record<string, string>; message: string },
): Promise<ActionResult | Response> {
  const { postId, form, values, message } = came;
  const version = form.version ?? 0;
  const conflict = await readConflict(app, { postId, version, fields: form.fields });
  if (await isAlreadySaved(app, { postId, editorId: user.id, form, conflict }))
    return redirect(adminUrl(adminContext.adminPath, 'posts', postId));
  const pressed = { intent: form.intent, changeAt: values.changeAt ?? '' };
  const page = await readConflictPage(app, conflict, pressed, adminContext.timeZone);
  return { status: 409, message, values, conflict: page };
}
