import type { Prisma } from '#app/platform/database/client.server.ts';
import { databaseReason, outageReason } from '#app/platform/database/failure.server.ts';
import { invalidInput } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readStoredText, type StoredText } from '#app/posts/fields/stored.ts';
import { postNotFound } from '#app/posts/not-found.ts';
import { readPresentFields } from '#app/posts/terms/references.server.ts';
import {
  changePublicContent,
  lockPosts,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { byTrigger, PostBatch } from '#app/publishing/post-row/history.server.ts';
import {
  readPosts,
  type ReadPost,
  missingReferences,
  newReferences,
} from '#app/publishing/post-row/row.server.ts';
import { renderChangedBody, type RenderedBody } from '#app/publishing/post-row/body.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** Updates per transaction. One by one, each takes 27 statements instead of 4 (measured). */
const BATCH_SIZE = 20;

/** A scheduled update as stored. Its fields are JSON of those that it changes. */
type DueUpdate = Prisma.ScheduledUpdateGetPayload<object>;

/**
 * Applies the scheduled updates whose time has come. Yields the slug of each changed post once that is committed. An
 * update that cannot be read or applied is logged and stays, is reported as overdue, and does not delay the others.
 */
export async function* applyScheduledUpdates(
  app: PublishingContext,
  dueAt: Date,
  settings: Settings,
): AsyncGenerator<string> {
  const failed: string[] = [];
  for (;;) {
    const due = await app.db.scheduledUpdate.findMany({
      where: { dueAt: { lte: dueAt }, postId: { notIn: failed } },
      orderBy: [{ dueAt: 'asc' }, { postId: 'asc' }],
      take: BATCH_SIZE,
    });
    if (due.length === 0) return;
    yield* applyUpdates(app, due, settings, failed);
  }
}

/** Applies updates together or, where that fails, one by one. Adds the posts of those at fault to `failed`. */
async function* applyUpdates(
  app: PublishingContext,
  updates: readonly DueUpdate[],
  settings: Settings,
  failed: string[],
): AsyncGenerator<string> {
  const slugs = await applyTogether(app, updates, settings).catch((error: unknown) => {
    // An outage is no fault of an update.
    if (outageReason(error) !== null) throw error;
    if (updates.length > 1) return null;
    const { postId } = updates[0]!;
    app.log.error({ postId, reason: databaseReason(error) }, 'A scheduled update cannot be applied');
    failed.push(postId);
    return [];
  });
  if (slugs) yield* slugs;
  else for (const update of updates) yield* applyUpdates(app, [update], settings, failed);
}

/**
 * Applies updates in one transaction.
 * @returns the slugs of the changed posts, without those that are not published and those whose update another process
 *   has applied, replaced or dropped.
 * @throws when an update is at fault, or in an outage; then none is applied.
 */
async function applyTogether(
  app: PublishingContext,
  updates: readonly DueUpdate[],
  settings: Settings,
): Promise<string[]> {
  const changes: PlannedUpdate[] = [];
  for (const update of updates) {
    const text = readStoredText(update.fields);
    if (!text) throw invalidInput('The stored update cannot be read.');
    const rendered = await renderChangedBody({ ...app, settings }, update.postId, text.fields);
    changes.push({ update, text, rendered });
  }
  return changePublicContent(
    app,
    async (change) => {
      const postIds = updates.map(({ postId }) => postId);
      await lockPosts(app, change.tx, postIds);
      const claimed: PlannedUpdate[] = [];
      for (const planned of changes) if (await claim(change, planned.update)) claimed.push(planned);
      const run = { settings, batch: new PostBatch(byTrigger) };
      const slugs: string[] = [];
      for await (const { item, post } of readPosts(change, claimed, ({ update }) => update.postId)) {
        if (!post) throw postNotFound();
        // The update of a post that is not published came from a backup: a post that is unpublished loses its update.
        if (post.current.status === 'published') slugs.push(await applyUpdate(app, change, run, item, post));
      }
      if (slugs.length === 0) change.affects();
      // Waiting for the locks may have taken a while, in which an editor saved one of the posts: its revision is older.
      await run.batch.write(app, { ...change, now: app.clock.now() }, settings);
      return slugs;
    },
    { drain: false },
  );
}

interface PlannedUpdate {
  update: DueUpdate;
  text: StoredText;
  /** The body, if the update changes how it looks. */
  rendered: RenderedBody | undefined;
}

/** Deleting the row is the claim. The condition ensures that it is still the row that was read. */
async function claim({ tx }: PublicChange, update: DueUpdate): Promise<boolean> {
  const { postId, dueAt, createdAt, fields } = update;
  return (await tx.scheduledUpdate.deleteMany({ where: { postId, dueAt, createdAt, fields } })).count > 0;
}

/** @returns the post's slug. */
async function applyUpdate(
  app: PublishingContext,
  change: PublicChange,
  { settings, batch }: { settings: Settings; batch: PostBatch },
  { update, text, rendered }: PlannedUpdate,
  { current, before }: ReadPost,
): Promise<string> {
  const requested: PostFields = { ...before, ...(await readPresentFields(change.tx, text)) };
  // When the update's category or image no longer exists, the post keeps its present one.
  for (const name of await missingReferences(change.tx, newReferences(requested, before)))
    requested[name] = before[name];
  const { slug } = await writePost(app, change, {
    current,
    before,
    requested,
    rendered,
    intent: 'save',
    kind: 'save',
    editorId: update.authorId,
    settings,
    reason: 'Scheduled update',
    dueAt: update.dueAt,
    waiting: { onConflict: 'keep' },
    // These times were in the future when they were entered; a late trigger must not refuse them.
    times: { publishedAt: before.publishedAt, archiveAt: requested.archiveAt },
    batch,
  });
  return slug;
}
