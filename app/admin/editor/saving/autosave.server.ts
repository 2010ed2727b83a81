import {
  missingVersion,
  parsePostForm,
  withinRights,
  type PostForm,
} from '#app/admin/editor/model/form.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { messagesFor, wantsPage } from '#app/admin/frame/json-answers.server.ts';
import type { Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import type { OwnedPost } from '#app/people/roles.ts';
import { isAppError } from '#app/platform/errors.ts';
import { type PostFields, formValues } from '#app/posts/fields/fields.ts';
import { UNTITLED } from '#app/posts/fields/states.ts';
import { saveAutosave, type Autosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import type { AutosaveAnswer } from './requests.ts';
import { hasSentText } from './sent-text.ts';

/** The columns of a post that the editor's actions need. */
export type SavedRow = NonNullable<OwnedPost> & {
  id: string;
  title: string;
  version: number;
  status: string;
};

/**
 * Creates a draft from the text so far. The page chooses the `id` and sends it again with the next autosave.
 */
export async function createByAutosave(
  args: ScreenArguments,
  id: string,
  { fields, leftOut }: PostForm,
): Promise<Done | Response> {
  const { app, user, address } = args;
  const typed = { ...fields, title: fields.title || UNTITLED };
  const post = await createPost(app, {
    id,
    intent: 'save',
    fields: typed,
    slugFollowsTitle: true,
    editorId: user.id,
    address,
  });
  return answer(args, id, { saved: 'post', version: post.version, savedAt: app.clock.now(), leftOut });
}

/** Autosaves the form of an existing post. @throws AppError as `saveAutosave` */
export async function autosave(
  args: ScreenArguments,
  post: SavedRow,
  form: PostForm,
): Promise<Done | Response> {
  // The page of a new post may not know its version yet, which is 1.
  const version = form.version ?? (post.version === 1 ? 1 : undefined);
  if (version === undefined) throw missingVersion();
  const { fields, edit, exactTimes, autosavedAt: includedUntil, releaseId, changeAt, textVersion } = form;
  const typed = { fields, edit, exactTimes, includedUntil, releaseId, changeAt, textVersion };
  // The page before may have sent its text while the browser was loading this one.
  const continues = (stored: PostFields) =>
    form.sent.length > 0 && hasSentText(form.sent, formValues(stored, args.adminContext.timeZone));
  const input = { postId: post.id, editorId: args.user.id, version, continues, ...typed };
  const saved = await saveAutosave(args.app, input);
  return answer(args, post.id, { ...saved, leftOut: { ...form.leftOut, ...saved.leftOut } });
}

function answer(
  { request, adminContext }: ScreenArguments,
  postId: string,
  result: Autosave,
): Done | Response {
  // A browser's form gets a redirect. Any other client gets JSON, even without an `Accept` header.
  if (wantsPage(request)) return { location: adminUrl(adminContext.adminPath, 'posts', postId), id: postId };
  const { saved, version, savedAt, leftOut = {} } = result;
  const inWords = messagesFor({ request, adminContext });
  const errors = Object.entries(leftOut).map(
    ([name, messages]) => [name, messages.map(inWords).join(' ')] as const,
  );
  return Response.json({
    saved,
    version,
    savedAt: savedAt.toISOString(),
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
  } satisfies AutosaveAnswer);
}

/**
 * Reads the form of an existing post, or, if `post` is null, of one that an autosave creates. Drops invalid fields of
 * an autosave, such as an impossible time, so that the text is saved. A blank title is not typed yet.
 */
export function readEditForm(
  { adminContext, user }: ScreenArguments,
  post: OwnedPost,
  values: Readonly<Record<string, string>>,
): PostForm {
  const parse = (entries: Readonly<Record<string, string>>) =>
    withinRights(parsePostForm(entries, adminContext, 'edit'), user, post);
  if (values.intent !== 'autosave') return parse(values);
  const { title, ...withoutTitle } = values;
  const typed = title === undefined || title.trim() === '' ? withoutTitle : values;
  try {
    return parse(typed);
  } catch (error) {
    const leftOut = isAppError(error) ? error.fields : {};
    const wrong = Object.keys(leftOut);
    // An invalid text cannot be dropped, so the failure is reported.
    if (wrong.length === 0 || wrong.includes('body') || wrong.includes('version')) throw error;
    const rest = Object.entries(typed).filter(([name]) => !wrong.includes(name));
    return { ...parse(Object.fromEntries(rest)), leftOut };
  }
}
