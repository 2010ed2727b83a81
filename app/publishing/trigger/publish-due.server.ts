import { databaseReason } from '#app/platform/database/failure.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import type { Configured } from '#app/platform/services.ts';
import { dueForPublication } from '#app/posts/fields/states.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { auditTrigger } from '#app/publishing/post-row/audit.server.ts';
import { cleanUpRevisions } from '#app/publishing/post-row/clean-up-revisions.server.ts';
import { POSTS_PER_STATEMENT } from '#app/publishing/post-row/posts-per-statement.ts';
import { drainOutbox } from '#app/search/background-drain.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { applyScheduledUpdates } from './apply-scheduled-updates.server.ts';
import { archiveInBatches } from './archive-due.server.ts';
import { nextDueRelease, publishDueRelease } from './publish-due-releases.server.ts';
import { runMaintenance } from './run-maintenance.server.ts';
import { beginRun, finishRun, type TriggerSource } from './runs.server.ts';

/** Posts per transaction. A killed trigger loses one open batch, which the next trigger publishes. */
const BATCH_SIZE = 200;

/** The trigger's answer (contract, section 2), which the route and the command return unchanged. */
export interface PublishResult {
  publishedCount: number;
  /** In the order of their publication times. */
  publishedPostIds: string[];
  /** Slugs of all posts whose public state or content changed, each once. */
  affectedSlugs: string[];
  /** ISO 8601 UTC with milliseconds. */
  triggeredAt: string;
}

/**
 * Publishes every scheduled post and release that is due by the process's clock, applies scheduled updates and archives
 * due posts, each exactly once. The trigger whose update returns a row reports it, and no other can. Any number of
 * triggers may run at once.
 * @throws AppError `unavailable` when the database fails. Committed batches stay; the open one is rolled back, and the
 *   next trigger does the rest.
 */
export async function publishDue(
  app: PublishingContext & Configured,
  source: TriggerSource,
): Promise<PublishResult> {
  const triggeredAt = app.clock.now();
  const done: WorkDone = { published: [], changedSlugs: [] };
  const { published, changedSlugs } = done;
  const run = await beginRun(app, source, triggeredAt).catch((error: unknown) => {
    throw stopped(error, 0);
  });
  try {
    await publishAllDue(app, triggeredAt, done);
  } catch (error) {
    const failure = stopped(error, published.length);
    await finishRun(app, run, { published: published.length, changed: changedSlugs.length }, failure.message);
    throw failure;
  }
  // Every trigger retries the outbox, even when nothing was due.
  await drainOutbox(app, 'trigger');
  await finishRun(app, run, { published: published.length, changed: changedSlugs.length });
  await runMaintenance(app);
  return {
    publishedCount: published.length,
    publishedPostIds: published.map(({ id }) => id),
    affectedSlugs: [...new Set([...published.map(({ slug }) => slug), ...changedSlugs].map(ownSlug))],
    triggeredAt: triggeredAt.toISOString(),
  };
}

/** What a trigger has committed so far, also after a failure. */
interface WorkDone {
  published: DuePost[];
  changedSlugs: string[];
}

/**
 * The part of a trigger that readers see. It deletes nothing, because a copy of the site runs it too, and shares its
 * files with the site.
 * @param done gets what is committed
 */
export async function publishAllDue(
  app: PublishingContext,
  dueAt: Date,
  done: WorkDone = { published: [], changedSlugs: [] },
): Promise<void> {
  const { published, changedSlugs } = done;
  const tried: string[] = [];
  for (;;) {
    // In the order of their times: posts that were due before a release are published before it.
    const release = await nextDueRelease(app, dueAt, tried);
    const until = release?.publishAt ?? dueAt;
    const settings = await readSettings(app);
    for await (const batch of publishInBatches(app, until, settings)) published.push(...batch);
    for await (const slug of applyScheduledUpdates(app, until, settings)) changedSlugs.push(slug);
    for await (const slugs of archiveInBatches(app, until, settings)) changedSlugs.push(...slugs);
    if (!release) return;
    tried.push(release.id);
    const applied = await publishDueRelease(app, release, dueAt);
    published.push(...(applied?.published ?? []));
    changedSlugs.push(...(applied?.changedSlugs ?? []));
  }
}

interface DuePost {
  id: string;
  slug: string;
}

/** Yields each batch once it is committed. */
async function* publishInBatches(
  app: PublishingContext,
  dueAt: Date,
  settings: Settings,
): AsyncGenerator<DuePost[]> {
  for (;;) {
    // In the index's own order: a long queue needs no sorting for each batch.
    const due = await app.db.post.findMany({
      where: dueForPublication(dueAt),
      orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
      take: BATCH_SIZE,
      select: { id: true },
    });
    if (due.length === 0) return;
    yield await publishBatch(app, due, dueAt, settings);
  }
}

function publishBatch(
  app: PublishingContext,
  due: { id: string }[],
  dueAt: Date,
  settings: Settings,
): Promise<DuePost[]> {
  // In a fixed order, so that two triggers wait for each other instead of deadlocking.
  const ids = due.map(({ id }) => id).sort();
  return changePublicContent(
    app,
    async ({ tx, now, affectsWritten }) => {
      // All conditions are in the outer WHERE and no `limit` is given: with `limit` Prisma moves the
      // status into a subquery, and on PostgreSQL two transactions then both claimed the same rows.
      const claimed = await inSteps(ids, POSTS_PER_STATEMENT, (chunk) =>
        tx.post.updateManyAndReturn({
          where: { id: { in: chunk }, ...dueForPublication(dueAt) },
          data: {
            status: 'published',
            hasBeenPublic: true,
            version: { increment: 1 },
            contentUpdatedAt: now,
            updatedAt: now,
          },
          select: { id: true, slug: true, title: true },
        }),
      );
      affectsWritten(...claimed.map(({ id }) => id));
      await cleanUpRevisions(
        tx,
        claimed.map(({ id }) => id),
        settings,
        now,
      );
      const titles = claimed.map(({ title }) => title);
      await auditTrigger(app, tx, 'post.published', titles);
      // The database returns the rows in any order; `due` has the order of publication.
      const slugs = new Map(claimed.map(({ id, slug }) => [id, slug]));
      return due.flatMap(({ id }) => (slugs.has(id) ? [{ id, slug: slugs.get(id)! }] : []));
    },
    { drain: false },
  );
}

function stopped(error: unknown, publishedCount: number): AppError {
  const progress = publishedCount > 0 ? ` after ${publishedCount} posts` : '';
  return new AppError('unavailable', `Publishing stopped${progress}: ${databaseReason(error)}`, {
    retryAfter: 60,
    cause: error,
  });
}
