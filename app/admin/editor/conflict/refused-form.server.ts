import * as z from 'zod';
import type { Db } from '#app/platform/services.ts';
import { passageField } from '#app/admin/editor/model/form-fields.ts';
import { readPostId, type PostForm } from '#app/admin/editor/model/form.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { wantsJson } from '#app/admin/frame/json-answers.server.ts';
import type { ActionResult, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import type { Message } from '#app/platform/message.ts';
import { type PostFields, formValues } from '#app/posts/fields/fields.ts';
import { bodyText } from '#app/posts/fields/schemas.ts';
import { nextStatus, SCHEDULED_TEXT, type StateIntent } from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { type PostConflict, readConflict, type ChangeInRelease } from '#app/posts/history/conflict.server.ts';
import { type Take, isChanged, joinPassages, takes } from '#app/posts/history/passages.ts';
import { readScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import { savedMeanwhile } from '#app/publishing/post-row/row.server.ts';
import {
  readChangedFields,
  findOpenedChange,
  showsText,
  textVersionOf,
} from '#app/releases/post-change.server.ts';
import { readConflictPage } from './conflict.server.ts';
import { savedPost, type EditorResult } from './result.ts';
import { isForRelease } from './save-to-release.server.ts';
import { readScheduledChange } from './scheduled.server.ts';

/** Fields whose stored value may differ from the sent one: the server chooses a free slug and the time of a button. */
const chosenByServer = ['slug', 'publishedAt', 'archiveAt'];

/**
 * True when a stale save repeats a save (after a double click or a reload): the last save is by the same user, and the
 * post has the values and the state that this form asks for.
 */
export async function isAlreadySaved(
  app: Db,
  save: { postId: string; editorId: string; form: PostForm; conflict: PostConflict },
): Promise<boolean> {
  const { form, conflict } = save;
  if (form.intent === 'delete' || form.intent === 'autosave') return false;
  if (form.edit === SCHEDULED_TEXT || form.intent === 'prepare') return hasSameUpdate(app, save);
  const intent = form.intent as StateIntent;
  if (form.version !== conflict.version - 1 || nextStatus(conflict.status, intent) !== conflict.status)
    return false;
  if (conflict.differences.some(({ field }) => !chosenByServer.includes(field))) return false;
  const last = await app.db.revision.findFirst({
    where: { postId: save.postId, postVersion: conflict.version, kind: 'save' },
    select: { authorId: true },
  });
  return last?.authorId === save.editorId;
}

async function hasSameUpdate(
  app: Db,
  { postId, editorId, form, conflict }: Parameters<typeof isAlreadySaved>[1],
): Promise<boolean> {
  const change = await readScheduledUpdate(app, postId);
  if (!change?.fields || form.version !== conflict.version - 1 || change.authorId !== editorId) return false;
  const expected = { ...conflict.theirs, ...change.fields };
  const time = form.changeAt ?? (form.intent === 'save' ? change.changeAt : null);
  const sameTime = change.changeAt.getTime() === time?.getTime();
  return sameTime && changedFields(expected, conflict.mine).every((name) => chosenByServer.includes(name));
}

interface RefusedForm {
  postId: string;
  status: string;
  form: PostForm;
  values: Readonly<Record<string, string>>;
  message: Message;
}

type Arguments = ScreenArguments & { newCategory?: string };

/** Answers a stale save with a 409 and both versions, unless the same save was sent twice. */
export async function showConflict(
  args: Arguments,
  refused: RefusedForm,
): Promise<ActionResult<EditorResult> | Done> {
  const { app, user, adminContext } = args;
  const { postId, form } = refused;
  const found = await readConflictOf(app, refused);
  const { conflict, releaseText } = found;
  if (releaseText === undefined && (await isAlreadySaved(app, { postId, editorId: user.id, form, conflict })))
    return savedPost(adminContext, { id: postId, version: conflict.version, status: conflict.status });
  return conflictResult(args, refused, found);
}

/** The conflict of a stale form. `releaseText`: the text version that its release has now, if the conflict is about that. */
async function readConflictOf(
  app: ScreenArguments['app'],
  { postId, status, form }: Pick<RefusedForm, 'postId' | 'status' | 'form'>,
): Promise<FoundConflict> {
  const ofRelease = await readReleaseConflict(app, { postId, status, form });
  const ofUpdate = await readScheduledChange(app, postId, form);
  const { readChange } = ofRelease ?? ofUpdate ?? {};
  const version = form.version ?? 0;
  const conflict = await readConflict(app, { postId, version, fields: form.fields, readChange });
  return { conflict, releaseText: ofRelease?.textVersion, isUpdateGone: ofUpdate?.isGone ?? false };
}

interface FoundConflict {
  conflict: PostConflict;
  releaseText: string | undefined;
  /** The refused text is that of a scheduled update that exists no longer. */
  isUpdateGone: boolean;
}

/** A 409 with both versions. @param result what the form of its page has instead of the merged values */
async function conflictResult(
  { app, user, adminContext, newCategory = '', request }: Arguments,
  { form, values, message }: RefusedForm,
  { conflict, releaseText, isUpdateGone }: FoundConflict,
  result: { values?: Record<string, string>; chosen?: Take[] } = {},
): Promise<ActionResult<EditorResult>> {
  const { timeZone } = adminContext;
  const current = {
    fields: formValues(conflict.theirs, timeZone),
    version: conflict.version,
    editedBy: conflict.savedBy,
    updatedAt: conflict.savedAt,
    ...(releaseText !== undefined && { releaseText }),
  };
  // A script compares the versions itself.
  if (wantsJson(request)) return { status: 409, message, values, current };
  const opened = { version: form.version ?? 0, releaseText: form.textVersion ?? '' };
  const { releaseId, edit } = form;
  // Without the update, the text needs a time: readers must not see it now.
  const intent = isUpdateGone ? 'prepare' : form.intent;
  const { changeAt = '', changeAtOccurrence = '' } = values;
  const pressed = {
    intent,
    releaseId,
    edit,
    isUpdateGone,
    releaseText: releaseText ?? opened.releaseText,
    changeAt,
    changeAtOccurrence,
    newCategory,
  };
  const page = await readConflictPage(app, conflict, { pressed, opened, timeZone, user });
  return {
    status: 409,
    message,
    values,
    conflict: {
      ...page,
      resolved: Object.fromEntries(
        Object.entries(page.resolved).map(([name, value]) => [name, result.values?.[name] ?? value]),
      ),
      text: page.text && { ...page.text, chosen: result.chosen ?? page.text.chosen },
    },
    current,
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
    message: 'This post was deleted. Your text is below and isn’t saved: save it as a new draft to keep it.',
    values: typed,
    screen: 'posts/new',
    isReplacement: true,
  };
}

/** A refused save to a release that has another text of the post than the form shows. */
interface ReleaseConflict {
  /** That of the text that the release has now. */
  textVersion: string;
  /** What it changes. @param saved the post at the opened version */
  readChange: (saved: PostFields) => Promise<ChangeInRelease>;
}

/** Null when the conflict is about the post itself. */
async function readReleaseConflict(
  app: Db,
  { postId, status, form }: { postId: string; status: string; form: PostForm },
): Promise<ReleaseConflict | null> {
  const { releaseId, textVersion } = form;
  if (releaseId === null || textVersion === undefined) return null;
  if (status !== 'published' || !isForRelease(form, status)) return null;
  const item = await app.db.releaseItem.findUnique({
    where: { releaseId_kind_subjectId: { releaseId, kind: 'post', subjectId: postId } },
  });
  if (!item || showsText(textVersion, item)) return null;
  return {
    textVersion: textVersionOf(item),
    readChange: async (saved) => {
      const author = await app.db.user.findUnique({
        where: { id: item.authorId ?? '' },
        select: { displayName: true },
      });
      return {
        opened: await findOpenedChange(app, { postId, releaseId, textVersion }, saved),
        present: (item.action === 'update' && (await readChangedFields(app.db, item))) || {},
        savedBy: author?.displayName ?? null,
        savedAt: item.updatedAt,
      };
    },
  };
}

const take = z.enum(takes);

/** What the 409 page of a post sends besides the fields of the post. */
const choiceSchema = z.object({
  opened: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  openedText: z.string().max(2_000),
  typed: bodyText(),
  chosen: z
    .string()
    .max(1_000)
    .transform((text) => text.split(' '))
    .pipe(z.array(take)),
  combine: z.enum(['yes', '']).optional(),
});

/**
 * Gives the body of a conflict's form the chosen paragraphs, and keeps what was typed into it.
 * @returns the form; or the page again, for its button that only combines, and when a paragraph was both chosen and typed
 * @throws AppError `conflict` when somebody has saved once more: the choices were between other texts
 */
export async function choosePassages(
  args: ScreenArguments & { newCategory?: string },
  sent: Omit<RefusedForm, 'message'>,
): Promise<{ form: PostForm } | ActionResult<EditorResult>> {
  const { form, values } = sent;
  // Any other form of a post.
  if (values.chosen === undefined) return { form };
  const { opened, openedText, typed, chosen, combine } = parseForm(choiceSchema, values);
  const picked = chosen.map((before, number): Take => {
    const parsed = take.safeParse(values[passageField(number)]);
    return parsed.success ? parsed.data : before;
  });
  const isCombined = combine === 'yes';
  if (!isCombined && picked.join() === chosen.join()) return { form };
  const refused: RefusedForm = {
    ...sent,
    form: {
      ...form,
      version: opened,
      textVersion: form.textVersion === undefined ? undefined : openedText,
      fields: { ...form.fields, body: typed },
    },
    message: savedMeanwhile().message,
  };
  const found = await readConflictOf(args.app, refused);
  const { base, theirs, version } = found.conflict;
  const passages = await args.app.workers.comparePassages(base && base.body, typed, theirs.body);
  const isSameConflict =
    version === form.version &&
    (found.releaseText ?? openedText) === (form.textVersion ?? openedText) &&
    passages.filter(isChanged).length === chosen.length;
  if (!isSameConflict) throw savedMeanwhile();
  const [before, after] = [joinPassages(passages, chosen), joinPassages(passages, picked)];
  const { body = before } = form.fields;
  const combined = body === before ? after : await args.app.workers.mergeTexts(before, body, after);
  if (combined !== null && !isCombined)
    return { form: { ...form, fields: { ...form.fields, body: combined } } };
  return conflictResult(args, refused, found, {
    values: { ...values, body: combined ?? body },
    chosen: combined === null ? chosen : picked,
  });
}
