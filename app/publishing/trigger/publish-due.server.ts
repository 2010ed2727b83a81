import { trimEffects } from '#app/effects/manage.server.ts';
import { runEffects } from '#app/effects/run.server.ts';
import { sweepRemovedMedia } from '#app/media/library/sweep.server.ts';
import { readBounces } from '#app/newsletter/bounces/mailbox.server.ts';
import { trimLimits } from '#app/newsletter/limits.server.ts';
import { trimPending } from '#app/newsletter/subscribers.server.ts';
import { trimAudit, writeAudit } from '#app/people/audit/audit.server.ts';
import { sweepLoginThrottle } from '#app/people/passwords/throttle.server.ts';
import { newId } from '#app/platform/clock.ts';
import { databaseReason, outageReason } from '#app/platform/database/failure.server.ts';
import { messageOf, AppError, isAppError } from '#app/platform/errors.ts';
import { inEnglish, type Message } from '#app/platform/message.ts';
import type { Configured } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { dueForArchive, dueForPublication } from '#app/posts/fields/states.ts';
import { ownSlug } from '#app/posts/paths.ts';
import {
  changeHidden,
  changePublicContent,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { sumUpCounts } from '#app/publishing/change/rebuild-counts.server.ts';
import { forgetTextChanges } from '#app/publishing/change/text-changes.server.ts';
import { auditTrigger, byTrigger, cleanUpRevisions } from '#app/publishing/post-row/history.server.ts';
import { claimPosts } from '#app/publishing/post-row/row.server.ts';
import type { AppliedPosts } from '#app/publishing/releases/apply-posts.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { purgeExpiredTrash } from '#app/publishing/trash/purge.server.ts';
import { forgetUndoSteps } from '#app/publishing/trash/undo.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { applyScheduledUpdates } from './apply-scheduled-updates.server.ts';

/** Posts per transaction. A killed trigger loses one open batch, which the next trigger publishes. */
const BATCH_SIZE = 200;
/** No effect begins after this time, so that a trigger's caller gets its answer. */
const EFFECTS_MS = 10_000;

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
  // The built-in trigger must be free for what is due next.
  if (source === 'server') app.effects.request(app);
  else await carryOutEffects(app);
  await finishRun(app, run, { published: published.length, changed: changedSlugs.length });
  await runMaintenance(app);
  return {
    publishedCount: published.length,
    publishedPostIds: published.map(({ id }) => id),
    affectedSlugs: [...new Set([...published.map(({ slug }) => slug), ...changedSlugs].map(ownSlug))],
    triggeredAt: triggeredAt.toISOString(),
  };
}

/** Also what others left behind. Never throws: what fails is tried again. */
async function carryOutEffects(app: PublishingContext): Promise<void> {
  await readBounces(app);
  await runEffects(app, { totalMs: EFFECTS_MS }).catch((error: unknown) =>
    app.log.warn(
      { reason: messageOf(error) },
      'Effects could not be carried out; the next trigger tries again',
    ),
  );
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
    const due = { dueAt: until, settings };
    for await (const batch of claimInBatches(app, 'published', due)) published.push(...batch);
    for await (const slug of applyScheduledUpdates(app, until, settings)) changedSlugs.push(slug);
    for await (const batch of claimInBatches(app, 'archived', due))
      changedSlugs.push(...batch.map(({ slug }) => slug));
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

/** What a trigger does with posts whose time has come. */
const steps = {
  // In the index's own order: a long queue needs no sorting for each batch.
  published: { isDue: dueForPublication, orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }] },
  archived: { isDue: dueForArchive, orderBy: [{ archiveAt: 'asc' }] },
} as const;

/** Publishes or archives all posts that are due. Yields each batch once it is committed, in the order of the times. */
async function* claimInBatches(
  app: PublishingContext,
  to: keyof typeof steps,
  { dueAt, settings }: { dueAt: Date; settings: Settings },
): AsyncGenerator<DuePost[]> {
  const where = steps[to].isDue(dueAt);
  for (;;) {
    const orderBy = [...steps[to].orderBy];
    const due = await app.db.post.findMany({ where, orderBy, take: BATCH_SIZE, select: { id: true } });
    if (due.length === 0) return;
    const ids = due.map(({ id }) => id);
    yield await changePublicContent(
      app,
      async (change) => {
        const claimed = await claimPosts(change, ids, { to, where });
        const claimedById = new Map(claimed.map((post) => [post.id, post]));
        await cleanUpRevisions(change.tx, [...claimedById.keys()], settings, change.now);
        const titles = claimed.map(({ title }) => title);
        await auditTrigger(app, change.tx, `post.${to}`, titles);
        return ids.flatMap((id) => claimedById.get(id) ?? []);
      },
      { drain: false },
    );
  }
}

function stopped(error: unknown, publishedCount: number): AppError {
  const progress = publishedCount > 0 ? ` after ${publishedCount} posts` : '';
  return new AppError('unavailable', `Publishing stopped${progress}: ${databaseReason(error)}`, {
    retryAfter: 60,
    cause: error,
  });
}

/**
 * The clean-up of every trigger: entries of the trash after 30 days, files an hour after their removal, old audit
 * entries and login counters, and records of past instants that are no longer needed. It also sums up counts. Never
 * throws.
 */
async function runMaintenance(app: PublishingContext): Promise<void> {
  for (const task of [
    purgeExpiredTrash,
    sweepRemovedMedia,
    trimAudit,
    sweepLoginThrottle,
    trimEffects,
    trimLimits,
    trimPending,
    forgetUndoSteps,
    forgetTextChanges,
    sumUpCounts,
  ]) {
    try {
      await task(app);
    } catch (error) {
      app.log.warn({ reason: messageOf(error) }, 'Maintenance failed; the next trigger tries again');
    }
  }
}

/** A release whose time has come. */
interface DueRelease {
  id: string;
  name: string;
  publishAt: Date;
}

/** The earliest due release that is not among `besides`; null when there is none. */
async function nextDueRelease(
  app: Pick<PublishingContext, 'db'>,
  dueAt: Date,
  besides: readonly string[],
): Promise<DueRelease | null> {
  const row = await app.db.release.findFirst({
    where: { status: 'scheduled', publishAt: { lte: dueAt }, id: { notIn: [...besides] } },
    orderBy: [{ publishAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, publishAt: true },
  });
  return row && { ...row, publishAt: row.publishAt! };
}

/**
 * Publishes a due release. A release that cannot be published stays scheduled, with the reason on its screen and in the
 * log.
 * @returns null when it was not published here: it is blocked, or another trigger has claimed it
 */
async function publishDueRelease(
  app: PublishingContext,
  { id }: DueRelease,
  dueAt: Date,
): Promise<AppliedPosts | null> {
  try {
    return await publishRelease(app, { id, dueAt, by: byTrigger });
  } catch (error) {
    // An outage is no fault of this release.
    if (outageReason(error) !== null) throw error;
    await noteProblem(app, id, isAppError(error) ? error.said : databaseReason(error));
    return null;
  }
}

/** Stores why a release could not be published; writes to the audit log when the reason is new. */
async function noteProblem(app: PublishingContext, id: string, message: Message): Promise<void> {
  const [problem, reason] = [toStored(message), inEnglish(message)];
  app.log.error({ releaseId: id, reason }, 'A release cannot be published');
  await changeHidden(app, async ({ tx }) => {
    const [row] = await tx.release.updateManyAndReturn({
      where: { id, status: 'scheduled', problem: { not: problem } },
      data: { problem },
    });
    if (row)
      await writeAudit(tx, app.clock, {
        action: 'release.blocked',
        by: byTrigger,
        subject: row.name,
        details: reason,
      });
  });
}

const RUN_RETENTION_MS = 90 * DAY_MS;

/** What started a run: the command, the internal route, or a server by itself. */
export type TriggerSource = 'command' | 'route' | 'server';

/** A publication run that has begun. */
export interface Run {
  id: string;
  startedAt: Date;
}

/** Records the start of a trigger; a publication run without an end was killed. */
async function beginRun(app: PublishingContext, source: TriggerSource, startedAt: Date): Promise<Run> {
  const id = newId(app.clock);
  await app.db.publishRun.create({ data: { id, source, startedAt } });
  return { id, startedAt };
}

/**
 * Records how a run ended, and deletes old runs. It never throws: the publications are committed, and the report must
 * reach the caller.
 * @param error why it stopped; `''` for success
 */
async function finishRun(
  app: PublishingContext,
  { id, startedAt }: Run,
  counts: { published: number; changed: number },
  error = '',
): Promise<void> {
  const finishedAt = app.clock.now();
  try {
    await app.db.publishRun.update({
      where: { id },
      data: {
        finishedAt,
        durationMs: finishedAt.getTime() - startedAt.getTime(),
        publishedCount: counts.published,
        affectedCount: counts.published + counts.changed,
        error,
      },
    });
    const cutOff = new Date(startedAt.getTime() - RUN_RETENTION_MS);
    await app.db.publishRun.deleteMany({ where: { startedAt: { lt: cutOff } } });
  } catch (failure) {
    app.log.warn({ reason: messageOf(failure) }, 'The end of a publication run could not be recorded');
  }
}
