import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { isAppError, type FieldErrors } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import {
  isAutosavedInPlace,
  nameOfText,
  notTrashed,
  SCHEDULED_TEXT,
  type EditedText,
} from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { findSavedFields } from '#app/posts/history/revisions.server.ts';
import { postNotFound } from '#app/posts/not-found.ts';
import { lockPosts, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { writeAutosave } from '#app/publishing/post-row/history.server.ts';
import { withFormValues, type TypedFields } from '#app/publishing/post-row/times.ts';
import { readTextChange } from '#app/publishing/post-row/kept-texts.server.ts';
import { isInOpenRelease } from '#app/releases/queries.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { editPost } from './save.server.ts';

/** Unsaved changes that `fields` do not contain are kept as a revision. */
export interface AutosaveInput extends TypedFields {
  editorId: string;
  /** True for a newer text of the draft that the page itself has sent. The autosave is then based on it. */
  continues?: (stored: PostFields) => boolean;
  /** The text that the page has, if the post has a scheduled update. */
  edit?: EditedText;
  /** The release to which the page saves the text. */
  releaseId?: string | null;
  /** The time typed for a scheduled update. */
  changeAt?: Date | null;
  /** The text version that the form shows (`textVersionOf`). */
  textVersion?: string;
}

/** Where the text was stored: in the post itself, or in a copy that only its editor sees. */
export interface Autosave {
  saved: 'post' | 'copy';
  /** The version to send with the next save. */
  version: number;
  savedAt: Date;
  /** The errors of the fields that were left out. */
  leftOut?: FieldErrors;
}

/**
 * Stores what an editor has typed so far. A draft that is in no open release is changed itself. Readers, a schedule or a
 * release depend on any other post, so its text goes into a copy. Each editor has one copy for each release, until that
 * editor's next save. A draft is saved without the fields that have errors.
 * @throws AppError `not_found`; `conflict` for a draft that has changed since `version`: the text is then in the
 *   editor's copy, unless the draft has it already.
 */
export async function saveAutosave(app: PublishingContext, input: AutosaveInput): Promise<Autosave> {
  const row = await app.db.post.findUnique({
    where: { id: input.postId, ...notTrashed },
    select: { status: true },
  });
  if (!row) throw postNotFound();
  const isFree =
    input.edit !== SCHEDULED_TEXT &&
    isAutosavedInPlace(row.status) &&
    !(await isInOpenRelease(app, input.postId));
  if (!isFree) return saveCopy(app, input);
  try {
    return await saveDraft(app, input);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'conflict') throw error;
    const version = await findContinued(app, input);
    if (version !== null) return saveAutosave(app, { ...input, version, continues: undefined });
    await saveCopy(app, input, { isConflict: true });
    throw error;
  }
}

/** The draft's present version if its text is one that the page itself has sent, else null. */
async function findContinued(
  { db }: Pick<PublishingContext, 'db'>,
  { postId, continues }: AutosaveInput,
): Promise<number | null> {
  const row = continues && (await db.post.findUnique({ where: { id: postId, ...notTrashed } }));
  return row && continues(await readPostFields(db, row)) ? row.version : null;
}

async function saveDraft(app: PublishingContext, input: AutosaveInput): Promise<Autosave> {
  const savedAt = app.clock.now();
  const save = (fields: Partial<PostFields>) =>
    editPost(app, { ...input, fields, intent: 'save', kind: 'draft' });
  try {
    return { saved: 'post', version: (await save(input.fields)).version, savedAt };
  } catch (error) {
    const leftOut = isAppError(error) && error.code === 'invalid_input' ? error.fields : {};
    if (Object.keys(leftOut).length === 0) throw error;
    const rest = Object.entries(input.fields).filter(([name]) => !Object.hasOwn(leftOut, name));
    return { saved: 'post', version: (await save(Object.fromEntries(rest))).version, savedAt, leftOut };
  }
}

async function saveCopy(
  app: Pick<PublishingContext, 'env' | 'db' | 'clock'>,
  input: AutosaveInput,
  { isConflict = false } = {},
): Promise<Autosave> {
  const { postId, editorId, version: postVersion, includedUntil: autosavedAt, changeAt, textVersion } = input;
  const timeZone = await readSetting(app, 'site_timezone');
  const savedAt = app.clock.now();
  await inTransaction(app.db, async (tx) => {
    // Two autosaves at once (two tabs) wait for each other here.
    await lockPosts(app, tx, [postId]);
    const row = await tx.post.findUnique({ where: { id: postId, ...notTrashed } });
    if (!row) throw postNotFound();
    const { edit, releaseId: chosenId } = input;
    const releaseId = nameOfText(row.status, { edit, releaseId: chosenId });
    const change = releaseId && (await readTextChange({ db: tx }, { releaseId, postId }));
    // A form leaves out a slug that nobody has typed: it means the one that it was opened with.
    const opened =
      row.version === postVersion ? null : await findSavedFields({ db: tx }, postId, postVersion);
    const shown = { ...(await readPostFields(tx, row)), ...(opened && { slug: opened.slug }), ...change };
    const fields = withFormValues(shown, input.fields, timeZone, input.exactTimes);
    // A page that is left sends its text, and the next page sends it again on the version before.
    if (isConflict && changedFields(shown, fields).length === 0) return;
    const clock = { now: () => savedAt };
    await writeAutosave(tx, clock, {
      postId,
      postVersion,
      editorId,
      releaseId,
      autosavedAt,
      fields,
      changeAt,
      textVersion,
    });
  });
  return { saved: 'copy', version: postVersion, savedAt };
}
