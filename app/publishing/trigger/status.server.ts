import type { Prisma } from '#app/platform/database/client.server.ts';
import { isSkewed, readClockSkew } from '#app/platform/database/health.server.ts';
import type { Configured, Db, Timed } from '#app/platform/services.ts';
import { earliest } from '#app/platform/time/earliest.ts';
import { dueForArchive, dueForPublication } from '#app/posts/fields/states.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { listScheduledReleases, shouldAlertReleases } from '#app/releases/status.server.ts';
import type { TriggerSource } from './publish-due.server.ts';

/** A post that is overdue by more than this raises an alert (contract, sections 2 and 3). */
export const OVERDUE_AFTER_MS = 15 * 60 * 1000;

/** What `posts:status`, the dashboard, readiness and metrics report about the trigger. Times in ISO 8601 UTC. */
export interface PublishingState {
  scheduled: number;
  /** Scheduled posts whose time has passed. */
  overdue: number;
  oldestOverdueAt: string | null;
  nextDueAt: string | null;
  lastTriggeredAt: string | null;
}

/** Counts scheduled posts, and finds the next and the most overdue one by the app's clock. */
export async function readPublishingState(app: Timed): Promise<PublishingState> {
  const now = app.clock.now();
  const scheduled = { status: 'scheduled' };
  const [total, late, next, run] = await Promise.all([
    countPosts(app, {}, 'scheduled'),
    app.db.post.aggregate({ where: dueForPublication(now), _count: true, _min: { publishedAt: true } }),
    app.db.post.aggregate({ where: { ...scheduled, publishedAt: { gt: now } }, _min: { publishedAt: true } }),
    app.db.publishRun.findFirst({ orderBy: { startedAt: 'desc' }, select: { startedAt: true } }),
  ]);
  return {
    scheduled: total,
    overdue: late._count,
    oldestOverdueAt: late._min.publishedAt?.toISOString() ?? null,
    nextDueAt: next._min.publishedAt?.toISOString() ?? null,
    lastTriggeredAt: run?.startedAt.toISOString() ?? null,
  };
}

/** True when a post is so late that the operator is alerted. */
export function shouldAlert(state: Pick<PublishingState, 'oldestOverdueAt'>, now: Date): boolean {
  return (
    state.oldestOverdueAt !== null && now.getTime() - Date.parse(state.oldestOverdueAt) > OVERDUE_AFTER_MS
  );
}

/** What the trigger does besides publishing: scheduled updates and scheduled archiving. */
export interface PlannedChanges {
  changes: number;
  archives: number;
  /** The times of the most overdue one and of the next one, of both kinds; ISO 8601 UTC. */
  oldestOverdueAt: string | null;
  nextDueAt: string | null;
}

/** Counts scheduled updates and scheduled archivings, and finds the next and the most overdue one of both. */
export async function readPlannedChanges(app: Timed): Promise<PlannedChanges> {
  const now = app.clock.now();
  // A range excludes null without a scan: `not null` would scan all published posts.
  const archive = { status: 'published', archiveAt: { gt: new Date(0) } };
  const [archives, lateArchive, nextArchive, updates] = await Promise.all([
    app.db.post.count({ where: archive }),
    app.db.post.aggregate({ where: dueForArchive(now), _min: { archiveAt: true } }),
    app.db.post.aggregate({ where: { ...archive, archiveAt: { gt: now } }, _min: { archiveAt: true } }),
    readScheduledUpdates(app),
  ]);
  const [late, next] = [updates.find((at) => at <= now), updates.find((at) => at > now)];
  return {
    changes: updates.length,
    archives,
    oldestOverdueAt: earliest(isoOf(lateArchive._min.archiveAt), isoOf(late)),
    nextDueAt: earliest(isoOf(nextArchive._min.archiveAt), isoOf(next)),
  };
}

/** When the scheduled updates of published posts are due, in order. */
async function readScheduledUpdates({ db }: Db): Promise<Date[]> {
  // Prisma would join the posts first, which scans all published ones even when no update is scheduled.
  const updates = await db.scheduledUpdate.findMany({
    select: { postId: true, dueAt: true },
    orderBy: { dueAt: 'asc' },
  });
  if (updates.length === 0) return [];
  const posts = await db.post.findMany({
    where: { id: { in: updates.map(({ postId }) => postId) } },
    select: { id: true, status: true },
  });
  const published = new Set(posts.filter(({ status }) => status === 'published').map(({ id }) => id));
  return updates.filter(({ postId }) => published.has(postId)).map(({ dueAt }) => dueAt);
}

/**
 * The state of publishing for the readiness route: `overdue` when a post, a scheduled update or a scheduled archiving
 * is more than 15 minutes late, or a release cannot be published; `clock_skew` when the database's clock and this
 * process's differ by more than five seconds.
 */
export async function checkPublishing(app: Timed & Configured): Promise<'ok' | 'overdue' | 'clock_skew'> {
  const now = app.clock.now();
  const [posts, others, releases, skewMs] = await Promise.all([
    readPublishingState(app),
    readPlannedChanges(app),
    listScheduledReleases(app, now),
    readClockSkew(app),
  ]);
  const isLate = shouldAlert(posts, now) || shouldAlert(others, now);
  if (isLate || shouldAlertReleases(releases, now, OVERDUE_AFTER_MS)) return 'overdue';
  return isSkewed(skewMs) ? 'clock_skew' : 'ok';
}

/** A run of the trigger as the dashboard shows it. It has no end while it runs, or when it was killed. */
export type PublishRunSummary = Omit<Prisma.PublishRunGetPayload<object>, 'source'> & {
  source: TriggerSource;
};

/** The latest runs of the trigger, newest first. */
export async function listPublishRuns(app: Db, limit: number): Promise<PublishRunSummary[]> {
  const runs = await app.db.publishRun.findMany({
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return runs.map((run) => ({ ...run, source: run.source as PublishRunSummary['source'] }));
}

const isoOf = (time: Date | null | undefined) => time?.toISOString() ?? null;
