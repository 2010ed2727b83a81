import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionResult, Done, ScreenArguments } from '#app/admin/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { readConflict } from '#app/posts/conflict.server.ts';
import { isAlreadySaved } from './already-saved.server.ts';
import { readConflictPage } from './conflict.server.ts';
import { formValues } from '#app/posts/field-values.ts';
import { savedPost, type EditorResult } from './editor-result.ts';
import type { PostForm } from './editor-form.server.ts';
import { readReleaseConflict } from './release-conflict.server.ts';
import { readPostId } from './post-id.ts';

/** Answers a stale save with a 409 and both versions, unless the same save was sent twice. */
export async function showConflict(
  { app, user, adminContext, newCategory = '' }: ScreenArguments & { newCategory?: string },
  submitted: {
    postId: string;
    status: string;
    form: PostForm;
    values: Readonly<Record<string, string>>;
    message: string;
  },
): Promise<ActionResult<EditorResult> | Done> {
  const { postId, status, form, values, message } = submitted;
  const { timeZone } = adminContext;
  const version = form.version ?? 0;
  const ofRelease = await readReleaseConflict(app, { postId, status, form });
  const { readChange } = ofRelease ?? {};
  const conflict = await readConflict(app, { postId, version, fields: form.fields, readChange });
  if (!ofRelease && (await isAlreadySaved(app, { postId, editorId: user.id, form, conflict })))
    return savedPost(adminContext, { id: postId, version: conflict.version, status: conflict.status });
  const { intent, releaseId } = form;
  const { changeAt = '', changeAtOccurrence = '' } = values;
  const releaseText = ofRelease?.textVersion ?? form.textVersion ?? '';
  const pressed = { intent, releaseId, releaseText, changeAt, changeAtOccurrence, newCategory };
  return {
    status: 409,
    message,
    values,
    conflict: await readConflictPage(app, conflict, pressed, timeZone),
    current: {
      fields: formValues(conflict.theirs, timeZone),
      version: conflict.version,
      editedBy: conflict.savedBy,
      updatedAt: conflict.savedAt,
      ...(ofRelease && { releaseText: ofRelease.textVersion }),
    },
  };
}

/**
 * Answers a save of a deleted post with a 409 and the typed text in the form of a new post.
 * @throws AppError `not_found` for an address that was never a post's editor
 */
export function showDeleted(
  { params, adminContext }: ScreenArguments,
  values: Readonly<Record<string, string>>,
): ActionResult<EditorResult> | Done {
  if (!readPostId(params.id) || values.version === undefined)
    throw new AppError('not_found', 'This post does not exist.');
  if (values.intent === 'delete')
    return { location: adminUrl(adminContext.adminPath, 'posts'), id: params.id };
  const { version: _version, intent: _intent, autosavedAt: _autosavedAt, ...typed } = values;
  return {
    status: 409,
    message:
      'Somebody has deleted this post. What you typed is below and is not saved: save it as a new draft to keep it.',
    values: typed,
    screen: 'posts/new',
    isReplacement: true,
  };
}
