import type { App } from '#app/app.ts';
import { adminUrl } from '#app/admin/admin-url.ts';
import type {
  ActionArguments,
  ActionResult,
  AdminContext,
  Done,
  ScreenArguments,
} from '#app/admin/screen.ts';
import { isAppError } from '#app/platform/errors.ts';
import { readConflict } from '#app/posts/conflict.server.ts';
import { readScheduledUpdate } from '#app/posts/scheduled-update.server.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { findAutosave, readRevision } from '#app/posts/revisions.server.ts';
import type { PostStatus } from '#app/posts/states.ts';
import { deletePost } from '#app/publishing/delete-post.server.ts';
import { cancelScheduledUpdate, preparePostChange } from '#app/publishing/schedule-update.server.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import { editPost } from '#app/publishing/save-post.server.ts';
import { readConflictPage, type ConflictPage } from './conflict.server.ts';
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

/** What the editor shows beside the form after a button that saves nothing. */
export interface EditorResult {
  /** The text as readers would see it. */
  preview: string;
  conflict: ConflictPage;
}

export async function act(args: ActionArguments): Promise<ActionResult<EditorResult> | Done> {
  const { app, params, user, adminContext, address } = args;
  const { values } = args.form;
  const row = await findPostFor(app, user, params.id);
  const postId = row.id;
  const form = withinRights(parsePostForm(values, adminContext, 'edit'), user, row);
  if (form.intent === 'preview')
    return { values, preview: (await renderBody(app, form.fields.body ?? '')).html };
  if (form.intent === 'delete') {
    await deletePost(app, { postId, editorId: user.id, address });
    return { location: adminUrl(adminContext.adminPath, 'posts'), id: postId };
  }
  try {
    return savedPost(adminContext, await applyIntent(app, row, form, { editorId: user.id, address }));
  } catch (error) {
    if (isAppError(error) && error.code === 'conflict')
      return showConflict(args, { postId, form, values, message: error.message });
    throw error;
  }
}

/** Where a saved post's form leads, and what it tells a script. */
export function savedPost(
  { adminPath }: Pick<AdminContext, 'adminPath'>,
  { id, version, status }: { id: string; version: number; status: string },
): Done {
  return { location: adminUrl(adminPath, 'posts', id), id, version, status };
}

async function applyIntent(
  app: App,
  row: { id: string; version: number; status: string },
  form: PostForm,
  by: { editorId: string; address: string },
): Promise<{ id: string; version: number; status: string }> {
  const { intent, fields, version, takeOverSlug, changeAt } = form;
  const postId = row.id;
  if (intent === 'cancel-change') {
    // Gone already (a double click, or its time has come) is what was asked for.
    if (await readScheduledUpdate(app, postId)) await cancelScheduledUpdate(app, postId);
    return row;
  }
  if (version === undefined) throw missingVersion();
  if (intent === 'prepare') {
    const change = { postId, version, fields, changeAt, editorId: by.editorId };
    return { ...row, version: (await preparePostChange(app, change)).version };
  }
  if (intent === 'preview' || intent === 'delete') return row;
  return editPost(app, { postId, version, intent, fields, takeOverSlug, ...by });
}

/** The 409 page, unless it is our own save that came twice. */
async function showConflict(
  { app, user, adminContext }: ScreenArguments,
  came: { postId: string; form: PostForm; values: Readonly<Record<string, string>>; message: string },
): Promise<ActionResult<EditorResult> | Done> {
  const { postId, form, values, message } = came;
  const version = form.version ?? 0;
  const conflict = await readConflict(app, { postId, version, fields: form.fields });
  if (await isAlreadySaved(app, { postId, editorId: user.id, form, conflict }))
    return savedPost(adminContext, { id: postId, ...conflict });
  const pressed = { intent: form.intent, changeAt: values.changeAt ?? '' };
  const page = await readConflictPage(app, conflict, pressed, adminContext.timeZone);
  const current = {
    fields: formValues(conflict.theirs, adminContext.timeZone),
    version: conflict.version,
    editedBy: conflict.savedBy,
    updatedAt: conflict.savedAt,
  };
  return { status: 409, message, values, conflict: page, current };
}
