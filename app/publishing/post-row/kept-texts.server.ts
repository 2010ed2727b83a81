import type { Clock } from '#app/platform/clock.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import { type PostFieldName, type PostFields, pickFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { SCHEDULED_TEXT, notTrashed } from '#app/posts/fields/states.ts';
import { changedFields, readStoredFields, sameValue, storeFields } from '#app/posts/fields/stored.ts';
import { findSavedFields } from '#app/posts/history/revisions.server.ts';
import { readScheduledUpdate, type ScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import { storeText, type TermReader } from '#app/posts/terms/references.server.ts';
import {
  type PublicChange,
  type PublishingContext,
  lockPosts,
} from '#app/publishing/change/public-change.server.ts';
import { readChangedFields, readPostChange } from '#app/releases/post-change.server.ts';
import { isUnpublished } from '#app/releases/release.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { writeRevision, cleanUpRevisions } from './history.server.ts';
import type { PostRow } from './row.server.ts';
import { withFormValues, type ExactTimes, type TypedFields } from './times.ts';

/** A change of a published post that a text which waits for its time is to follow. */
interface LiveChange {
  postId: string;
  /** The version of the post after it. */
  version: number;
  before: PostFields;
  after: PostFields;
  editorId: string | null;
}

/** How a live change goes into the scheduled update where both change the same. */
export interface MergeChoice {
  /** `ask` rejects the change. `keep`, for a trigger: the scheduled update keeps its own words there. */
  onConflict: 'ask' | 'keep';
  /** What an editor has chosen for the scheduled update. */
  chosen?: Partial<PostFields>;
  /** Bodies that were merged before the transaction, to keep that short (`mergeWaitingBodies`). */
  bodies?: readonly MergedBody[];
}

/** A waiting body with a live change, and from which texts it was made. */
interface MergedBody {
  texts: [base: string, waiting: string, live: string];
  text: string;
  hasConflict: boolean;
}

/** The texts of a post when a live change and the scheduled update change the same. */
export interface ScheduledTexts {
  before: PostFields;
  live: PostFields;
  /** The scheduled text as it is. */
  scheduled: PostFields;
  /** The scheduled text with what could be merged. */
  merged: PostFields;
  conflicts: PostFieldName[];
  update: ScheduledUpdate;
}

const SAME_TEXT = 'scheduled_text';

/** A live change and the scheduled update change the same text. Nothing was written. */
class ScheduledTextConflict extends AppError {
  readonly texts: ScheduledTexts;

  constructor(texts: ScheduledTexts) {
    super('conflict', 'The scheduled update changes the same text.', { reason: SAME_TEXT });
    this.texts = texts;
  }
}

/** The texts of a live change that was rejected since the scheduled update changes the same; null for other errors. */
export function scheduledTextsOf(error: unknown): ScheduledTexts | null {
  return isAppError(error) && error.reason === SAME_TEXT ? (error as ScheduledTextConflict).texts : null;
}

/** What a text that waits for its time changes of the live post; null: nothing. `releaseId`: or `SCHEDULED_TEXT` */
export async function readTextChange(
  app: { db: TermReader & Pick<Transaction, 'scheduledUpdate' | 'releaseItem'> },
  { releaseId, postId }: { releaseId: string; postId: string },
): Promise<Partial<PostFields> | null> {
  if (releaseId !== SCHEDULED_TEXT) return readPostChange(app.db, { releaseId, postId });
  return (await readScheduledUpdate(app, postId))?.fields ?? null;
}

/**
 * Merges a live change into the texts of the post that wait for their time: its scheduled update, and its changes in
 * releases that are not public. Without it, each would undo the live change at its time. A release keeps its own words
 * where both change the same.
 * @throws AppError `conflict` (`scheduledTextsOf`)
 */
export async function mergeIntoWaitingTexts(
  app: PublishingContext,
  change: PublicChange,
  live: LiveChange,
  choice: MergeChoice,
): Promise<void> {
  if (changedFields(live.before, live.after).length === 0) return;
  const { tx } = change;
  const update = await readScheduledUpdate({ db: tx }, live.postId);
  if (update?.fields) await mergeIntoUpdate(app, change, { live, update, fields: update.fields, choice });
  const where = { kind: 'post', subjectId: live.postId, action: 'update', release: isUnpublished };
  const items = await tx.releaseItem.findMany({ where, orderBy: { id: 'asc' } });
  for (const item of items) {
    const fields = await readChangedFields(tx, item);
    if (!fields) continue;
    const { merged } = await mergeFields(app, live, fields, { ...choice, chosen: undefined });
    const changed = changesOf(live.after, merged);
    if (isSameChange(changed, changesOf(live.after, { ...live.after, ...fields }))) continue;
    const { id, releaseId } = item;
    const stored = await storeText(tx, changed);
    await tx.releaseItem.update({ where: { id }, data: { fields: stored, updatedAt: change.now } });
    await writeTextRevision(app, tx, { ...live, releaseId }, merged);
  }
}

async function mergeIntoUpdate(
  app: PublishingContext,
  { tx, now }: PublicChange,
  {
    live,
    update,
    fields,
    choice,
  }: { live: LiveChange; update: ScheduledUpdate; fields: Partial<PostFields>; choice: MergeChoice },
): Promise<void> {
  const { postId, before, after, version, editorId } = live;
  const { merged, conflicts } = await mergeFields(app, live, fields, choice);
  if (conflicts.length > 0 && choice.onConflict === 'ask') {
    const scheduled = { ...before, ...fields };
    throw new ScheduledTextConflict({ before, live: after, scheduled, merged, conflicts, update });
  }
  const changed = changesOf(after, merged);
  if (isSameChange(changed, changesOf(after, { ...after, ...fields }))) return;
  const stored = await storeText(tx, changed);
  await tx.scheduledUpdate.update({ where: { postId }, data: { fields: stored, createdAt: now } });
  const { changeAt } = update;
  await writeUpdateRevision(tx, app.clock, { postId, version, editorId, fields: merged, changeAt });
}

/** What a waiting text changes of the live post. */
function changesOf(live: PostFields, waiting: PostFields): Partial<PostFields> {
  return pickFields(waiting, changedFields(live, waiting));
}

const isSameChange = (one: Partial<PostFields>, other: Partial<PostFields>) =>
  storeFields(one) === storeFields(other);

/** Merges a live change into a waiting text. Fields that only one side has changed have that side's value. */
async function mergeFields(
  app: Pick<PublishingContext, 'workers'>,
  { before, after }: LiveChange,
  fields: Partial<PostFields>,
  { chosen = {}, bodies = [] }: Pick<MergeChoice, 'chosen' | 'bodies'>,
): Promise<{ merged: PostFields; conflicts: PostFieldName[] }> {
  const waiting: PostFields = { ...before, ...fields };
  const changed = new Set(changedFields(before, after));
  const merged: PostFields = { ...after, ...fields };
  const conflicts: PostFieldName[] = [];
  for (const name of changedFields(after, merged)) {
    if (!changed.has(name)) continue;
    if (sameValue(waiting[name], before[name])) Object.assign(merged, { [name]: after[name] });
    else if (chosen[name] !== undefined) Object.assign(merged, { [name]: chosen[name] });
    else if (name === 'body') {
      const body = await mergeBody(app, [before.body, waiting.body, after.body], bodies);
      merged.body = body.text;
      if (body.hasConflict) conflicts.push(name);
    } else conflicts.push(name);
  }
  return { merged, conflicts };
}

async function mergeBody(
  app: Pick<PublishingContext, 'workers'>,
  texts: MergedBody['texts'],
  bodies: readonly MergedBody[],
): Promise<Omit<MergedBody, 'texts'>> {
  const known = bodies.find((body) => body.texts.every((text, index) => text === texts[index]));
  return known ?? app.workers.mergeParagraphs(...texts);
}

/**
 * Merges a new live body with those that wait, before the transaction of its save.
 * @param body the new body; absent: it stays
 */
export async function mergeWaitingBodies(
  app: Pick<PublishingContext, 'workers'> & {
    db: Pick<Database, 'post' | 'scheduledUpdate' | 'releaseItem'>;
  },
  postId: string,
  body: string | undefined,
): Promise<MergedBody[]> {
  if (body === undefined) return [];
  const update = await app.db.scheduledUpdate.findUnique({ where: { postId }, select: { fields: true } });
  const where = { kind: 'post', subjectId: postId, action: 'update', release: isUnpublished };
  const items = await app.db.releaseItem.findMany({ where, select: { fields: true } });
  if (!update && items.length === 0) return [];
  const post = await app.db.post.findUnique({ where: { id: postId }, select: { body: true } });
  if (!post || post.body === body) return [];
  const merged: MergedBody[] = [];
  for (const { fields } of update ? [update, ...items] : items) {
    const waiting = readStoredFields(fields)?.body;
    if (waiting === undefined || waiting === post.body || waiting === body) continue;
    const texts: MergedBody['texts'] = [post.body, waiting, body];
    merged.push({ texts, ...(await app.workers.mergeParagraphs(...texts)) });
  }
  return merged;
}

/** For which post and release, on which version, by whom. */
type KeptText = Pick<TypedFields, 'postId' | 'version' | 'editorId'> & { releaseId: string };

/** Stores a text that was kept for a release as a revision. */
export async function writeTextRevision(
  app: PublishingContext,
  tx: Transaction,
  { postId, version, editorId, releaseId }: KeptText,
  fields: PostFields,
): Promise<void> {
  await writeRevision(tx, app.clock, {
    postId,
    postVersion: version,
    kind: 'prepare',
    authorId: editorId,
    fields,
    summary: 'Kept for a release',
    releaseId,
  });
}

/** Stores the fields of a form as a revision if they differ from those that the post has with the release. */
export async function keepTyped(
  app: PublishingContext,
  tx: Transaction,
  input: KeptText & { fields: Partial<PostFields>; exactTimes?: ExactTimes },
  { current, timeZone }: { current: PostRow; timeZone: string },
): Promise<void> {
  const shown = { ...(await readPostFields(tx, current)), ...(await readPostChange(tx, input)) };
  const typed = withFormValues(shown, input.fields, timeZone, input.exactTimes);
  // A blank slug means that nobody chose one.
  const fields = { ...typed, slug: typed.slug || shown.slug };
  if (changedFields(shown, fields).length > 0) await writeTextRevision(app, tx, input, fields);
}

/** Stores the text of a scheduled update as a revision. @param update.version that of the post since the text is so */
export async function writeUpdateRevision(
  tx: Transaction,
  clock: Clock,
  update: { postId: string; version: number; editorId: string | null; fields: PostFields; changeAt: Date },
): Promise<void> {
  const { postId, version: postVersion, editorId: authorId, fields, changeAt } = update;
  await writeRevision(tx, clock, {
    postId,
    postVersion,
    kind: 'prepare',
    authorId,
    fields,
    summary: say('Scheduled for {time}', { time: changeAt.toISOString() }),
  });
}

/** For `catch`: keeps the fields of a save that lost a conflict, and throws the error. */
export function storeIfRejected(app: PublishingContext, rejected: Parameters<typeof storeRejectedSave>[1]) {
  return async (error: unknown): Promise<never> => {
    if (isAppError(error) && error.code === 'conflict') await storeRejectedSave(app, rejected);
    throw error;
  };
}

/**
 * Stores the fields of a save that lost a conflict as a revision, in its own transaction. Stores the same text only
 * once. Never throws: the editor must see the conflict, not a failure here.
 */
export async function storeRejectedSave(
  app: PublishingContext,
  rejected: {
    postId: string;
    version?: number;
    fields: Partial<PostFields>;
    editorId: string | null;
    /** The release to which the fields were to be saved, or `SCHEDULED_TEXT`. */
    releaseId?: string;
  },
): Promise<void> {
  const { postId, version = 0, editorId, releaseId } = rejected;
  if (Object.keys(rejected.fields).length === 0) return;
  try {
    const settings = await readSettings(app);
    await inTransaction(app.db, async (tx) => {
      await lockPosts(app, tx, [postId]);
      const row = await tx.post.findUnique({ where: { id: postId, ...notTrashed } });
      if (!row) return;
      const saved = (await findSavedFields({ db: tx }, postId, version)) ?? (await readPostFields(tx, row));
      const started = {
        ...saved,
        ...(releaseId && (await readTextChange({ db: tx }, { releaseId, postId }))),
      };
      const fields = { ...started, ...rejected.fields };
      if (changedFields(started, fields).length === 0) return;
      const same = { postId, kind: 'conflict', authorId: editorId, fields: await storeText(tx, fields) };
      if (await tx.revision.findFirst({ where: same, select: { id: true } })) return;
      await writeRevision(tx, app.clock, {
        postId,
        postVersion: version,
        kind: 'conflict',
        authorId: editorId,
        fields,
        releaseId,
        summary: say('Not saved: started from version {version}, the post was at {now}', {
          version,
          now: row.version,
        }),
      });
      await cleanUpRevisions(tx, [postId], settings, app.clock.now());
    });
  } catch (error) {
    app.log.error(
      { reason: messageOf(error), postId },
      'The text of a conflicting save could not be kept as a revision',
    );
  }
}
