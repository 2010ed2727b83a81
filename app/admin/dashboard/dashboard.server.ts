import * as z from 'zod';
import type { Db } from '#app/platform/services.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { shiftMonth } from '#app/admin/times/local.ts';
import { readEffectNotices } from '#app/effects/status.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { postsVisibleTo, may } from '#app/people/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { startOfDay, toLocalTime } from '#app/platform/time/time-zone.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { countByMonth, countByStatus, countPublishedBefore } from '#app/posts/lists/counts.server.ts';
import {
  createDemoPosts,
  hasOnlyDemoPosts,
  readDemoState,
  removeDemoPosts,
} from '#app/publishing/demo/demo-posts.server.ts';
import {
  OVERDUE_AFTER_MS,
  shouldAlert,
  listPublishRuns,
  readPlannedChanges,
  readPublishingState,
} from '#app/publishing/trigger/status.server.ts';
import { listScheduledReleases, shouldAlertReleases } from '#app/releases/status.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';

const MONTHS = 12;
const DRAFTS_SHOWN = 6;
const SCHEDULED_SHOWN = 6;
/** More than are shown, since the user may not see all of these posts. */
const UPDATES_READ = 100;
const RECENT_SHOWN = 6;

export async function load({ app, user, adminContext }: ScreenArguments) {
  const now = app.clock.now();
  const visible = postsVisibleTo(user);
  const columns = { id: true, title: true, updatedAt: true, publishedAt: true } as const;
  const [counts, publishing, planned, [lastRun], drafts, queue, months, releases, updates, recent, demo] =
    await Promise.all([
      countByStatus(app, visible),
      readPublishingState(app),
      readPlannedChanges(app),
      listPublishRuns(app, 1),
      app.db.post.findMany({
        where: { AND: [visible, { status: 'draft' }] },
        select: { ...columns, author: { select: { displayName: true } } },
        orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
        take: DRAFTS_SHOWN,
      }),
      app.db.post.findMany({
        where: { AND: [visible, { status: 'scheduled' }] },
        select: columns,
        orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
        take: SCHEDULED_SHOWN,
      }),
      publishedByMonth(app, now, adminContext.timeZone),
      may(user, 'posts:publish') ? listScheduledReleases(app) : [],
      listUpdates(app, visible),
      listRecentlyEdited(app, visible),
      may(user, 'settings:manage') ? readDemoState(app) : null,
    ]);
  const goingOut = [
    ...queue.map(({ id, title, publishedAt }) => ({ id, title, at: publishedAt!, isUpdate: false })),
    ...updates.map(({ post, dueAt }) => ({ ...post, at: dueAt, isUpdate: true })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  const isStuck = shouldAlertReleases(releases, now, OVERDUE_AFTER_MS);
  const mustAlert = shouldAlert(publishing, now) || shouldAlert(planned, now) || isStuck;
  const hasFailed = Boolean(lastRun?.error);
  const effects = may(user, 'system:read') ? await readEffectNotices(app) : null;
  const isManager = may(user, 'settings:manage');
  return {
    now,
    /** Whether to offer the built-in trigger, which is off. */
    mayBuiltIn: isManager && !(await readSetting(app, 'built_in_trigger')),
    effects,
    counts,
    publishing,
    planned,
    mustAlert,
    hasFailed,
    lastSource: lastRun?.source ?? null,
    drafts,
    queue: goingOut.slice(0, SCHEDULED_SHOWN),
    months,
    releases,
    recent,
    demo,
    /** Nobody has written a post: all are the product's. */
    isUnwritten: demo !== null && demo !== 'absent' && (await hasOnlyDemoPosts(app)),
  };
}

const formSchema = z.object({ intent: z.enum(['add-demo', 'remove-demo']) });

export async function act({ app, user, address, adminContext, form }: ActionArguments): Promise<Done> {
  const { intent } = parseForm(formSchema, form.values);
  if (!may(user, 'settings:manage')) throw new AppError('forbidden', 'Your role can’t open this page.');
  const change = intent === 'add-demo' ? createDemoPosts : removeDemoPosts;
  await change(app, byUser(user, address));
  return { location: adminUrl(adminContext.adminPath) };
}

/** The posts that changed last, in any state. Reads one index range for each state. */
async function listRecentlyEdited(app: Db, visible: { authorId?: string }) {
  const ranges = await Promise.all(
    postStatuses.map((status) =>
      app.db.post.findMany({
        where: { AND: [visible, { status }] },
        select: { id: true, title: true, status: true, updatedAt: true },
        orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
        take: RECENT_SHOWN,
      }),
    ),
  );
  const newestFirst = ranges.flat().sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  return newestFirst.slice(0, RECENT_SHOWN);
}

/** The next scheduled updates of the published posts that this person may see. */
async function listUpdates({ db }: Db, visible: ReturnType<typeof postsVisibleTo>) {
  // In two queries: Prisma's join begins with the posts and reads all published ones, even if no update is scheduled.
  const updates = await db.scheduledUpdate.findMany({
    select: { dueAt: true, postId: true },
    orderBy: [{ dueAt: 'asc' }, { postId: 'asc' }],
    take: UPDATES_READ,
  });
  if (updates.length === 0) return [];
  const posts = await db.post.findMany({
    where: { AND: [visible, { id: { in: updates.map(({ postId }) => postId) } }] },
    select: { id: true, title: true, status: true },
  });
  const byId = new Map(
    posts.flatMap(({ status, ...post }) => (status === 'published' ? [[post.id, post] as const] : [])),
  );
  return updates
    .flatMap(({ dueAt, postId }) => {
      const post = byId.get(postId);
      return post ? [{ dueAt, post }] : [];
    })
    .slice(0, SCHEDULED_SHOWN);
}

/** The number of posts published in each of the last months, the oldest month first. */
async function publishedByMonth(
  app: Db,
  now: Date,
  timeZone: string,
): Promise<{ month: string; count: number }[]> {
  const current = toLocalTime(now, timeZone).slice(0, 7);
  const months = Array.from({ length: MONTHS + 1 }, (_, index) => shiftMonth(current, index - MONTHS + 1));
  const starts = months.map((month) => startOfDay(`${month}-01`, timeZone)!);
  const before = await countPublishedBefore(app, await countByMonth(app), starts);
  return months
    .slice(0, MONTHS)
    .map((month, index) => ({ month, count: before[index + 1]! - before[index]! }));
}
