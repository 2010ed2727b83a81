import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields.ts';
import { readStoredFields } from '#app/posts/revision.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { lockPosts, readPost, missingReferences } from './post-row.server.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';
import { renderChangedBody } from './render-body.server.ts';
import { writePost } from './write-post.server.ts';

/**
 * Applies the scheduled updates whose time has come, each in its own transaction. Yields the slug of each changed post.
 * An update that cannot be read or applied is logged and stays, is reported as overdue, and does not delay the others.
 */
export async function* applyScheduledUpdates(
  app: PublishingContext,
  dueAt: Date,
  settings: Settings,
): AsyncGenerator<string> {
  const failed: string[] = [];
  for (;;) {
    const due = await app.db.scheduledUpdate.findFirst({
      where: { dueAt: { lte: dueAt }, postId: { notIn: failed } },
      orderBy: [{ dueAt: 'asc' }, { postId: 'asc' }],
    });
    if (!due) return;
    const slug = await applyUpdate(app, due, settings).catch((error: unknown) => {
      // Anything else is a fault of the database or the machine, not of this update.
      if (!isAppError(error)) throw error;
      app.log.error({ postId: due.postId, reason: messageOf(error) }, 'A scheduled update cannot be applied');
      failed.push(due.postId);
      return null;
    });
    if (slug !== null) yield slug;
  }
}

/**
 * @returns the post's slug; null when another process has applied, replaced or dropped the update.
 * @throws AppError when the update is at fault.
 */
async function applyUpdate(
  app: PublishingContext,
  due: { postId: string; dueAt: Date; fields: string; authorId: string | null; createdAt: Date },
  settings: Settings,
): Promise<string | null> {
  const fields = readStoredFields(due.fields);
  if (!fields) throw new AppError('invalid_input', 'The stored update cannot be read.');
  const rendered = await renderChangedBody({ ...app, settings }, due.postId, fields);
  return changePublicContent(
    app,
    async (change) => {
      const { tx } = change;
      const { postId, dueAt, createdAt } = due;
      await lockPosts(app, tx, [postId]);
      // Deleting the row is the claim. The condition ensures that it is still the row that was read.
      const claim = await tx.scheduledUpdate.deleteMany({
        where: { postId, dueAt, createdAt, fields: due.fields },
      });
      if (claim.count === 0) {
        change.noPublicEffect();
        return null;
      }
      const current = await readPost(tx, { postId });
      if (current.status !== 'published') {
        // The post is not published, so its update came from a backup: a post that is unpublished loses its scheduled
        // update.
        change.noPublicEffect();
        return null;
      }
      const before = await readPostFields(tx, current);
      const requested: PostFields = { ...before, ...fields };
      // When the update's category or image no longer exists, the post keeps its present one.
      for (const name of await missingReferences(tx, requested)) requested[name] = before[name];
      const { slug } = await writePost(app, change, {
        current,
        before,
        requested,
        rendered,
        intent: 'save',
        kind: 'save',
        editorId: due.authorId,
        settings,
        reason: 'Scheduled update',
        // These times were in the future when they were entered; a late trigger must not refuse them.
        times: { publishedAt: before.publishedAt, archiveAt: requested.archiveAt },
      });
      return slug;
    },
    { drain: false },
  );
}
