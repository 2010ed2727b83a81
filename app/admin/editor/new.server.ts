import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import { wantsJson } from '#app/admin/json-answer.server.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { asUnavailable } from '#app/platform/failure.server.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { createByAutosave, readEditForm } from './autosave.server.ts';
import { act as actOnPost } from './edit.server.ts';
import { newPostData, type EditorData } from './editor-data.server.ts';
import { parsePostForm, withinRights } from './editor-form.server.ts';
import { readPostId } from './post-id.ts';

export function load(args: ScreenArguments): Promise<EditorData> {
  return newPostData(args);
}

export async function act(args: ScreenArguments): Promise<ActionResult | Response> {
  const { app, request, user } = args;
  const values = await readForm(request.clone());
  const id = readPostId(values.id);
  const mine = { id: id ?? '', authorId: user.id };
  const exists = async () => id !== null && (await app.db.post.findUnique({ where: mine })) !== null;
  // The same form again (a double click, the back button, the next autosave): an edit of the post that it made.
  const editInstead = () =>
    actOnPost({ ...args, params: { id: id! }, request: withVersion(request, values) });
  if (await exists()) return editInstead();
  try {
    return await create(args, id, values);
  } catch (failure) {
    const error = asUnavailable(failure);
    if (!isAppError(error)) throw error;
    if (await exists()) return editInstead();
    if (wantsJson(request)) throw error;
    return { status: error.status, message: error.message, errors: error.fields, values };
  }
}

async function create(
  args: ScreenArguments,
  id: string | null,
  values: Record<string, string>,
): Promise<ActionResult | Response> {
  const { app, user, adminContext, address } = args;
  if (values.intent === 'autosave') {
    if (id === null) throw missingId();
    return createByAutosave(args, id, readEditForm(args, null, values));
  }
  const form = withinRights(parsePostForm(values, adminContext, 'new'), user, null);
  const { intent, fields, takeOverSlug } = form;
  switch (intent) {
    case 'preview':
      return { values, preview: (await renderBody(app, fields.body ?? '')).html };
    case 'delete':
      return redirect(adminUrl(adminContext.adminPath, 'posts'));
    case 'autosave':
    case 'prepare':
    case 'cancel-change':
      throw new AppError('invalid_input', 'Save the post first.');
    default: {
      const save = { id: id ?? undefined, intent, fields, editorId: user.id, address, takeOverSlug };
      const post = await createPost(app, save);
      return redirect(adminUrl(adminContext.adminPath, 'posts', post.id));
    }
  }
}

/** A new post's first version is 1: what was typed from there on is an edit of it. */
function withVersion(request: Request, values: Record<string, string>): Request {
  const body = new URLSearchParams({ version: '1', ...values });
  return new Request(request.url, {
    method: 'POST',
    headers: { Accept: request.headers.get('Accept') ?? '' },
    body,
  });
}

function missingId(): AppError {
  const message = 'The form does not say which post it makes. Reload the page.';
  return new AppError('invalid_input', message, { fields: { id: [message] } });
}
