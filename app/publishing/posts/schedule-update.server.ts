import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { readScheduledUpdate, type ScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import { storeText } from '#app/posts/terms/references.server.ts';
import { changeHidden, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import type { UpdateRow } from '#app/publishing/change/undo-change.ts';
import { addressFields } from '#app/publishing/post-row/addresses.server.ts';
import { renderChangedBody } from '#app/publishing/post-row/body.server.ts';
import { cleanUpRevisions, endAutosaves } from '#app/publishing/post-row/history.server.ts';
import { writeUpdateRevision, storeIfRejected } from '#app/publishing/post-row/kept-texts.server.ts';
import { restoreNamedMedia } from '#app/publishing/post-row/restore-named-media.server.ts';
import { lockPost, resolveReferences, withoutOldCoverAlt } from '#app/publishing/post-row/row.server.ts';
import { presentAuthorNames, presentTagNames } from '#app/publishing/post-row/tags-and-authors.server.ts';
import { isSameMinute, withFormValues, type TypedFields } from '#app/publishing/post-row/times.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** The address, the type and the publication time cannot change. */
interface ScheduleUpdateInput extends TypedFields {
  /** When a trigger applies the update. */
  changeAt: Date | null;
  /** True: the fields are those of the scheduled text, which keeps the others and, without `changeAt`, its time. */
  isScheduledText?: boolean;
}

/**
 * Stores changes of a published post until their time. They replace an earlier scheduled update, or change its text.
 * Only fields that differ from the live post are stored, so that later corrections of the other fields stay.
 * @throws AppError `not_found`; `conflict` (the fields are kept as a revision); `invalid_input`.
 */
export async function scheduleUpdate(
  app: PublishingContext,
  input: ScheduleUpdateInput,
): Promise<{ version: number; changeAt: Date }> {
  const { postId, editorId, isScheduledText = false } = input;
  const settings = await readSettings(app);
  // Renders the text now, to refuse one that takes too long: the trigger, or a copy of the site at an instant, would
  // fail.
  await renderChangedBody({ ...app, settings }, postId, input.fields);
  const releaseId = isScheduledText ? SCHEDULED_TEXT : undefined;
  const scheduled = changeHidden(app, async ({ tx, now }) => {
    const current = await lockPost(tx, input);
    if (current.status !== 'published')
      throw fieldError(
        'changeAt',
        'Only a published post can have a scheduled update. Save this one instead.',
      );
    const update = isScheduledText ? await readScheduledUpdate({ db: tx }, postId) : null;
    const changeAt = timeOfUpdate(input, update, now);
    const live = await readPostFields(tx, current);
    const shown = { ...live, ...update?.fields };
    const typed = withFormValues(shown, input.fields, settings.site_timezone, input.exactTimes);
    const tags = await presentTagNames(tx, typed.tags);
    const authors = await presentAuthorNames(tx, typed.authors);
    const requested = { ...withoutOldCoverAlt(shown, typed), tags, authors };
    const changed = changedFields(live, requested);
    for (const name of [...addressFields, 'publishedAt'] as const)
      if (changed.includes(name))
        throw fieldError(
          name,
          'A scheduled update can’t change the address, the type or the publication time. Save them now.',
        );
    if (changed.length === 0 && !update)
      throw fieldError('changeAt', 'Nothing differs from the published post.');
    if (requested.archiveAt && requested.archiveAt <= changeAt)
      throw fieldError('archiveAt', 'Archive time must be after the update time.');
    const resolved = await resolveReferences(tx, requested, live);
    const stored = changedFields(live, resolved).map((name) => [name, resolved[name]] as const);
    const fields = await storeText(tx, Object.fromEntries(stored));
    const row = { fields, dueAt: changeAt, authorId: editorId, createdAt: now };
    await tx.scheduledUpdate.upsert({ where: { postId }, create: { postId, ...row }, update: row });
    await restoreNamedMedia(tx, app.clock, resolved, input);
    const { version } = current;
    await writeUpdateRevision(tx, app.clock, { postId, version, editorId, fields: resolved, changeAt });
    await endAutosaves(tx, { ...input, releaseId }, input.includedUntil);
    await cleanUpRevisions(tx, [postId], settings, now);
    return { version, changeAt };
  });
  return scheduled.catch(storeIfRejected(app, { ...input, releaseId }));
}

/** When the update is to be applied. Its present time stays, also if it has passed and the trigger is late. */
function timeOfUpdate(
  { changeAt, isScheduledText }: ScheduleUpdateInput,
  update: ScheduledUpdate | null,
  now: Date,
): Date {
  if (update && (!changeAt || isSameMinute(changeAt, update.changeAt))) return update.changeAt;
  if (changeAt && changeAt > now) return changeAt;
  const isGone = isScheduledText && !update && !changeAt;
  throw fieldError(
    'changeAt',
    isGone
      ? 'The update is no longer scheduled. Enter a time to schedule this text again.'
      : 'Update time must be in the future.',
  );
}

/**
 * Drops a scheduled update. Its text stays as a revision.
 * @returns the new version of the post
 * @throws AppError `not_found`.
 */
export async function cancelScheduledUpdate(app: PublishingContext, postId: string): Promise<number> {
  return changeHidden(app, async ({ tx }) => {
    const { version } = await lockPost(tx, { postId });
    const { count } = await tx.scheduledUpdate.deleteMany({ where: { postId } });
    if (count === 0) throw new AppError('not_found', 'This post has no scheduled update any more.');
    return version;
  });
}

type Updates = Pick<Transaction, 'scheduledUpdate'>;

/** The row of a post's scheduled update, for an action that drops the update. */
export async function readUpdateRow(db: Updates, postId: string): Promise<UpdateRow | undefined> {
  const row = await db.scheduledUpdate.findUnique({ where: { postId } });
  if (!row) return undefined;
  const { fields, dueAt, authorId, createdAt } = row;
  return { fields, dueAt, authorId, createdAt };
}

/**
 * Schedules a dropped update again, for a post that is published again. An update whose time has passed is due at once.
 */
export async function rescheduleUpdate(
  tx: Updates,
  { id: postId, status }: { id: string; status: string },
  update: UpdateRow | undefined,
): Promise<void> {
  if (update && status === 'published') await tx.scheduledUpdate.create({ data: { postId, ...update } });
}
