import { AppError, isAppError, fieldError } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields.ts';
import { changedFields, storeFields } from '#app/posts/revision.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { addressFields } from './addresses.server.ts';
import { cleanUpRevisions } from './clean-up-revisions.server.ts';
import { restoreNamedMedia } from './restore-named-media.server.ts';
import { storeRejectedSave } from './store-rejected-save.server.ts';
import { presentAuthorNames } from './post-authors.server.ts';
import { lockPost, resolveReferences, withoutOldCoverAlt } from './post-row.server.ts';
import { presentTagNames } from './post-tags.server.ts';
import { withFormValues, type ExactTimes } from './post-times.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';
import { renderChangedBody } from './render-body.server.ts';
import { endAutosaves, writeRevision } from './revisions.server.ts';

export interface ScheduleUpdateInput {
  postId: string;
  /** The version that the editor had open. */
  version: number;
  /** The new fields; absent ones stay unchanged. The address, the type and the publication time cannot change. */
  fields: Partial<PostFields>;
  /** When a trigger applies the update. */
  changeAt: Date | null;
  exactTimes?: ExactTimes;
  editorId: string | null;
  /** When the newest unsaved changes in `fields` were typed. */
  includedUntil?: Date;
}

/**
 * Stores changes of a published post until their time. They replace an earlier scheduled update. Only fields that
 * differ from the live post are stored, so that later corrections of the other fields stay.
 * @throws AppError `not_found`; `conflict` (the fields are kept as a revision); `invalid_input`.
 */
export async function scheduleUpdate(
  app: PublishingContext,
  input: ScheduleUpdateInput,
): Promise<{ version: number; changeAt: Date }> {
  const { postId, changeAt, editorId } = input;
  const settings = await readSettings(app);
  // Renders the text now, to refuse one that takes too long: the trigger, or a copy of the site at an instant, would
  // fail.
  await renderChangedBody({ ...app, settings }, postId, input.fields);
  try {
    return await changePublicContent(app, async (change) => {
      const { tx, now } = change;
      const current = await lockPost(tx, input);
      if (current.status !== 'published')
        throw fieldError(
          'changeAt',
          'Only a published post can have a scheduled update. Save this one instead.',
        );
      if (!changeAt || changeAt <= now) throw fieldError('changeAt', 'Update time must be in the future.');
      const live = await readPostFields(tx, current);
      const typed = withFormValues(live, input.fields, settings.site_timezone, input.exactTimes);
      const tags = await presentTagNames(tx, typed.tags);
      const authors = await presentAuthorNames(tx, typed.authors);
      const requested = { ...withoutOldCoverAlt(live, typed), tags, authors };
      const changed = changedFields(live, requested);
      for (const name of [...addressFields, 'publishedAt'] as const)
        if (changed.includes(name))
          throw fieldError(
            name,
            'A scheduled update can’t change the address, the type or the publication time. Save them now.',
          );
      if (changed.length === 0) throw fieldError('changeAt', 'Nothing differs from the published post.');
      if (requested.archiveAt && requested.archiveAt <= changeAt)
        throw fieldError('archiveAt', 'Archive time must be after the update time.');
      const resolved = await resolveReferences(tx, requested, live);
      const stored = changedFields(live, resolved).map((name) => [name, resolved[name]] as const);
      const fields = storeFields(Object.fromEntries(stored));
      const row = { fields, dueAt: changeAt, authorId: editorId, createdAt: now };
      await tx.scheduledUpdate.upsert({ where: { postId }, create: { postId, ...row }, update: row });
      await restoreNamedMedia(tx, app.clock, resolved, input);
      await writeRevision(tx, app.clock, {
        postId,
        postVersion: current.version,
        kind: 'prepare',
        authorId: editorId,
        fields: resolved,
        summary: `Scheduled for ${changeAt.toISOString()}`,
      });
      await endAutosaves(tx, input, input.includedUntil);
      await cleanUpRevisions(tx, [postId], settings, now);
      change.noPublicEffect();
      return { version: current.version, changeAt };
    });
  } catch (error) {
    if (isAppError(error) && error.code === 'conflict') await storeRejectedSave(app, input);
    throw error;
  }
}

/**
 * Drops a scheduled update. Its text stays as a revision.
 * @returns the new version of the post
 * @throws AppError `not_found`.
 */
export async function cancelScheduledUpdate(app: PublishingContext, postId: string): Promise<number> {
  return changePublicContent(app, async (change) => {
    const { version } = await lockPost(change.tx, { postId });
    const { count } = await change.tx.scheduledUpdate.deleteMany({ where: { postId } });
    if (count === 0) throw new AppError('not_found', 'This post has no scheduled update any more.');
    change.noPublicEffect();
    return version;
  });
}
