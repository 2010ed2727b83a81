import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { newId } from '#app/platform/clock.ts';
import { isAppError } from '#app/platform/errors.ts';
import { asUnavailable } from '#app/platform/failure.server.ts';
import { emptyPostFields } from '#app/posts/post-fields.ts';
import type { StateIntent } from '#app/posts/states.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { formValues, mayDo, readChoices, type EditorData } from './editor-data.server.ts';
import { act as actOnPost } from './edit.server.ts';
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

export async function act(args: ScreenArguments): Promise<ActionResult | Response> {
  const { app, request, user, adminContext, address } = args;
  const values = await readForm(request.clone());
  const postId = readPostId(values.postId);
  const mine = { id: postId ?? '', authorId: user.id };
  const exists = async () => postId !== null && (await app.db.post.findUnique({ where: mine })) !== null;
  // The same form again (a double click, or the back button): it is an edit of the post that it made.
  const editInstead = () =>
    actOnPost({
      ...args,
      params: { id: postId! },
      request: withVersion(request, values),
    });
  if (await exists()) return editInstead();
  try {
    const { intent, fields, takeOverSlug } = withinRights(
      parsePostForm(values, adminContext, 'new'),
      user,
      null,
    );
    if (intent === 'preview') return { values, preview: (await renderBody(app, fields.body ?? '')).html };
    if (intent === 'delete') return redirect(adminUrl(adminContext.adminPath, 'posts'));
    const id = postId ?? undefined;
    const save = { id, intent: intent as StateIntent, fields, editorId: user.id, address, takeOverSlug };
    const post = await createPost(app, save);
    return redirect(adminUrl(adminContext.adminPath, 'posts', post.id));
  } catch (failure) {
    const error = asUnavailable(failure);
    if (!isAppError(error)) throw error;
    if (await exists()) return editInstead();
    return { status: error.status, message: error.message, errors: error.fields, values };
  }
}

/** A new post's first version is 1: what was typed from there on is an edit of it. */
function withVersion(request: Request, values: Record<string, string>): Request {
  const body = new URLSearchParams({ version: '1', ...values });
  return new Request(request.url, { method: 'POST', body });
}
