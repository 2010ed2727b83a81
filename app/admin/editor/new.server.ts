import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionArguments, ActionResult, Done, ScreenArguments } from '#app/admin/screen.ts';
import { SubmittedForm } from '#app/admin/submitted-form.ts';
import { newId } from '#app/platform/clock.ts';
import { isAppError } from '#app/platform/errors.ts';
import { emptyPostFields } from '#app/posts/post-fields.ts';
import type { StateIntent } from '#app/posts/states.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { formValues, mayDo, readChoices, type EditorData } from './editor-data.server.ts';
import { act as actOnPost, savedPost, type EditorResult } from './edit.server.ts';
import { parsePostForm, withinRights } from './editor-form.server.ts';
import { readPostId } from './post-id.ts';

export async function load({ app, adminContext, user }: ScreenArguments): Promise<EditorData> {
  return {
    post: null,
    postId: newId(app.clock),
    values: formValues(emptyPostFields, adminContext.timeZone),
    choices: await readChoices(app, null),
    now: app.clock.now(),
    may: mayDo(user, null),
    notice: null,
  };
}

export async function act(args: ActionArguments): Promise<ActionResult<EditorResult> | Done> {
  const { app, user, adminContext, address } = args;
  const { values } = args.form;
  const postId = readPostId(values.postId);
  const mine = { id: postId ?? '', authorId: user.id };
  const exists = async () => postId !== null && (await app.db.post.findUnique({ where: mine })) !== null;
  // The same form again (a double click, or the back button): it is an edit of the post that it made.
  const editInstead = () => actOnPost({ ...args, params: { id: postId! }, form: withVersion(args.form) });
  if (await exists()) return editInstead();
  const { intent, fields, takeOverSlug } = withinRights(
    parsePostForm(values, adminContext, 'new'),
    user,
    null,
  );
  if (intent === 'preview') return { values, preview: (await renderBody(app, fields.body ?? '')).html };
  if (intent === 'delete') return { location: adminUrl(adminContext.adminPath, 'posts') };
  const id = postId ?? undefined;
  const save = { id, intent: intent as StateIntent, fields, editorId: user.id, address, takeOverSlug };
  try {
    return savedPost(adminContext, await createPost(app, save));
  } catch (error) {
    if (isAppError(error) && (await exists())) return editInstead();
    throw error;
  }
}

/** A new post's first version is 1: what was typed from there on is an edit of it. */
function withVersion(form: SubmittedForm): SubmittedForm {
  return new SubmittedForm([['version', '1'], ...form.entries]);
}
