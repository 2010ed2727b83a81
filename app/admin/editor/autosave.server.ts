import { inJson } from '#app/admin/json-answers.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData } from '#app/platform/responses.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { saveAutosave } from '#app/publishing/save-autosave.server.ts';
import type { AutosaveAnswer } from './autosave.ts';
import { missingVersion, parsePostForm, withinRights, type PostForm } from './editor-form.server.ts';
import { findPostFor } from './find-post.server.ts';
import { readPostId } from './post-id.ts';

const UNTITLED = 'Untitled';

/** Nothing to look at: the editor posts here while somebody types. */
export function load(): Promise<never> {
  throw new AppError('not_found', 'There is nothing here.');
}

/**
 * Keeps what was typed so far: of a post as its autosave, of one that does not exist yet as a new draft.
 * Half-typed fields that no post could have (an impossible time) are left out, so that the text is kept.
 */
export const act = inJson(async ({ app, form: submitted, params, user, adminContext }) => {
  const typed = readHalfTyped(submitted.values, adminContext);
  const postId = readPostId(params.id);
  const known = await app.db.post.findUnique({ where: { id: params.id ?? '' }, select: { id: true } });
  if (!known && typed.version === undefined && postId) {
    const form = withinRights(typed, user, null);
    const fields = { ...form.fields, title: form.fields.title || UNTITLED };
    const post = await createPost(app, { id: postId, intent: 'save', fields, editorId: user.id });
    return apiData(answer(post.id, post.version, app.clock.now()));
  }
  const post = await findPostFor(app, user, params.id);
  const form = withinRights(typed, user, post);
  const version = form.version ?? (post.version === 1 ? 1 : undefined);
  if (version === undefined) throw missingVersion();
  const { savedAt } = await saveAutosave(app, {
    postId: post.id,
    editorId: user.id,
    version,
    fields: form.fields,
  });
  return apiData(answer(post.id, version, savedAt));
});

function answer(postId: string, version: number, savedAt: Date): AutosaveAnswer {
  return { postId, version, savedAt: savedAt.toISOString() };
}

function readHalfTyped(
  values: Readonly<Record<string, string>>,
  adminContext: { timeZone: string },
): PostForm {
  const { intent: _intent, ...kept } = values;
  try {
    return parsePostForm(kept, adminContext, 'edit');
  } catch (error) {
    const wrong = Object.keys((error as AppError).fields ?? {});
    // A text that cannot be stored at all is for the editor to hear of.
    if (wrong.length === 0 || wrong.includes('body') || wrong.includes('version')) throw error;
    return parsePostForm(
      Object.fromEntries(Object.entries(kept).filter(([name]) => !wrong.includes(name))),
      adminContext,
      'edit',
    );
  }
}
