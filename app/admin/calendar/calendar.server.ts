import * as z from 'zod';
import { chosenOccurrence, occurrenceOf } from '#app/admin/editor/model/form.server.ts';
import { answerConflict, findPostFor } from '#app/admin/editor/model/post.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, ActionResult, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { readUndoOffer } from '#app/admin/frame/undo.server.ts';
import { readCursor, writeCursor } from '#app/admin/posts/list-query.ts';
import type { App } from '#app/app.ts';
import { postsVisibleTo, may } from '#app/people/roles.ts';
import { sql, type Prisma } from '#app/platform/database/client.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import { say, messageOfIssue } from '#app/platform/message.ts';
import { offsetName } from '#app/platform/time/repeated-hour.ts';
import { secondOccurrence, startOfDay, toLocalTime } from '#app/platform/time/time-zone.ts';
import { postFormSchema } from '#app/posts/fields/form.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { undoOf } from '#app/publishing/change/undo-change.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { rememberUndo } from '#app/publishing/trash/undo.server.ts';
import { listReleasesBetween } from '#app/releases/queries.server.ts';
import { firstDayOfWeek, isDate, monthGrid, shiftDate } from './month-grid.ts';

/** A scheduled or published post at its publication time, or a scheduled update of a published one. */
export interface Entry {
  id: string;
  title: string;
  status: 'scheduled' | 'published';
  version: number;
  time: Date;
  isUpdate?: true;
}

/** A day of a time zone, `YYYY-MM-DD`, from its first instant to that of the next day. */
export interface Day {
  date: string;
  from: Date;
  to: Date;
}

/** A span of time. With `afterId` it begins after that entry of the time `from`. */
interface Range {
  from: Date;
  afterId?: string;
  to: Date;
}

/** The first entries of a day, and the number of the others. */
export interface DayEntries {
  date: string;
  entries: Entry[];
  more: number;
}

type Db = Pick<App['db'], 'post' | 'scheduledUpdate' | '$queryRaw'>;
type Visible = { authorId?: string };

/**
 * Reads the first entries of a range, in the order of time and id.
 * @param visible the condition for posts that the user may see
 */
export async function readEntries(db: Db, visible: Visible, range: Range, take: number): Promise<Entry[]> {
  const { post, update } = conditions(visible, range);
  const posts = await db.post.findMany({
    where: post,
    select: postColumns,
    orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
    take,
  });
  const updates = await db.scheduledUpdate.findMany({
    where: update,
    select: updateColumns,
    orderBy: [{ dueAt: 'asc' }, { postId: 'asc' }],
    take,
  });
  return [...posts.map(entryOfPost), ...updates.map(entryOfUpdate)].sort(byTimeAndId).slice(0, take);
}

/**
 * Reads the first entries of each day and counts the others. Of each day only ids are read, with one small statement that
 * the database keeps: a query of Prisma for each took five times as long.
 */
export async function readMonth(
  db: Db,
  visible: Visible,
  days: readonly Day[],
  most: number,
): Promise<DayEntries[]> {
  const range = conditions(visible, { from: days[0]!.from, to: days.at(-1)!.to }).update;
  const hasUpdates =
    (await db.scheduledUpdate.findFirst({ where: range, select: { postId: true } })) !== null;
  const first: { posts: FirstOfDay[]; updates: FirstOfDay[] }[] = [];
  for (const day of days)
    first.push({
      posts: await db.$queryRaw<FirstOfDay[]>(firstPosts(day, visible, most)),
      updates: hasUpdates ? await db.$queryRaw<FirstOfDay[]>(firstUpdates(day, visible, most)) : [],
    });
  const idsOf = (rows: FirstOfDay[]) => rows.map(({ id }) => id);
  const posts = await db.post.findMany({
    where: { id: { in: idsOf(first.flatMap((day) => day.posts)) } },
    select: postColumns,
  });
  const updates = await db.scheduledUpdate.findMany({
    where: { postId: { in: idsOf(first.flatMap((day) => day.updates)) } },
    select: updateColumns,
  });
  const entries = [...posts.map(entryOfPost), ...updates.map(entryOfUpdate)].sort(byTimeAndId);
  return days.map(({ date, from, to }, index) => {
    const total = Object.values(first[index]!).reduce((sum, rows) => sum + Number(rows[0]?.total ?? 0), 0);
    const shown = entries.filter(({ time }) => time >= from && time < to).slice(0, most);
    return { date, entries: shown, more: Math.max(0, total - most) };
  });
}

/** One of the first posts of a day, with the number of all of them, which the databases give as different types. */
interface FirstOfDay {
  id: string;
  total: number | bigint;
}

function firstPosts({ from, to }: Day, { authorId }: Visible, most: number) {
  const own = authorId === undefined ? sql`` : sql`AND author_id = ${authorId}`;
  const rows = sql`FROM posts
    WHERE status IN ('scheduled', 'published') AND published_at >= ${from} AND published_at < ${to} ${own}`;
  return sql`SELECT id, (SELECT COUNT(*) ${rows}) AS total ${rows} ORDER BY published_at, id LIMIT ${most}`;
}

function firstUpdates({ from, to }: Day, { authorId }: Visible, most: number) {
  const own = authorId === undefined ? sql`` : sql`AND posts.author_id = ${authorId}`;
  const rows = sql`FROM prepared_changes JOIN posts ON posts.id = post_id
    WHERE posts.status = 'published' AND due_at >= ${from} AND due_at < ${to} ${own}`;
  return sql`SELECT post_id AS id, (SELECT COUNT(*) ${rows}) AS total ${rows} ORDER BY due_at, post_id LIMIT ${most}`;
}

const postColumns = {
  id: true,
  title: true,
  status: true,
  version: true,
  publishedAt: true,
} satisfies Prisma.PostSelect;
const updateColumns = {
  dueAt: true,
  post: { select: { id: true, title: true, version: true } },
} satisfies Prisma.ScheduledUpdateSelect;

function entryOfPost({
  publishedAt,
  status,
  ...row
}: Prisma.PostGetPayload<{ select: typeof postColumns }>): Entry {
  return { ...row, status: status as Entry['status'], time: publishedAt! };
}

function entryOfUpdate({
  dueAt,
  post,
}: Prisma.ScheduledUpdateGetPayload<{ select: typeof updateColumns }>): Entry {
  return { ...post, status: 'scheduled', time: dueAt, isUpdate: true };
}

/** The conditions for the posts and scheduled updates of a range. */
function conditions(visible: Visible, { from, afterId = '', to }: Range) {
  const later = { gt: from };
  return {
    post: {
      ...visible,
      status: { in: ['scheduled', 'published'] },
      publishedAt: { gte: from, lt: to },
      OR: [{ publishedAt: later }, { publishedAt: from, id: { gt: afterId } }],
    },
    update: {
      dueAt: { gte: from, lt: to },
      OR: [{ dueAt: later }, { dueAt: from, postId: { gt: afterId } }],
      post: { ...visible, status: 'published' },
    },
  };
}

function byTimeAndId(one: Entry, other: Entry): number {
  return one.time.getTime() - other.time.getTime() || (one.id < other.id ? -1 : 1);
}

/** Posts that the month shows of each day. The list of the day has all of them. */
const POSTS_A_DAY = 5;
const POSTS_A_PAGE = 50;
/** Times that are converted to local times in one turn of the event loop. */
const TIMES_READ = 25;

/** A post on the calendar. `local` is `YYYY-MM-DDTHH:mm` in the site's zone. */
export interface CalendarPost {
  id: string;
  title: string;
  status: 'scheduled' | 'published';
  version: number;
  local: string;
  /** The offset, such as "GMT+1", if the local time occurs twice; otherwise null. */
  offset: string | null;
  occurrence: 'first' | 'second';
  overdue: boolean;
  /** Set for a scheduled update of a published post. Only the editor can move it. */
  isUpdate?: true;
}

export interface CalendarRelease extends Pick<CalendarPost, 'id' | 'local' | 'offset'> {
  name: string;
  state: string;
}

/** A month, or with `?day=` all posts of a day, in pages. */
export async function load(args: ScreenArguments) {
  const { app, request, adminContext } = args;
  const parameters = new URL(request.url).searchParams;
  const today = toLocalTime(app.clock.now(), adminContext.timeZone).slice(0, 10);
  const date = parameters.get('day') ?? '';
  return {
    today,
    ...(isDate(date)
      ? { day: await loadDay(args, date, parameters.get('after') ?? ''), month: null }
      : { day: null, month: await loadMonth(args, parameters.get('month') ?? '', today) }),
    undo: await readUndoOffer(args, 'calendar'),
  };
}

type CalendarContext = Pick<ScreenArguments, 'app' | 'user' | 'adminContext'>;

async function loadMonth({ app, user, adminContext }: CalendarContext, requested: string, today: string) {
  const { timeZone, language } = adminContext;
  const firstDay = firstDayOfWeek(language);
  const { days: dates, ...names } = monthGrid(requested, firstDay) ?? monthGrid(today.slice(0, 7), firstDay)!;
  const starts = [...dates, shiftDate(dates.at(-1)!, 1)].map((date) => startOfDay(date, timeZone)!);
  const days = dates.map((date, index) => ({ date, from: starts[index]!, to: starts[index + 1]! }));
  const read = await readMonth(app.db, postsVisibleTo(user), days, POSTS_A_DAY);
  const releases = await readReleases({ app, user, adminContext }, starts[0]!, starts.at(-1)!);
  const shown = await inSteps(read, TIMES_READ / POSTS_A_DAY, (batch) =>
    Promise.resolve(
      batch.map(({ date, entries, more }) => ({
        date,
        releases: releases.filter(({ local }) => local.startsWith(date)),
        posts: entries.map((entry) => shownPost(entry, app.clock.now(), adminContext)),
        more,
      })),
    ),
  );
  return { ...names, days: shown };
}

async function loadDay({ app, user, adminContext }: CalendarContext, date: string, after: string) {
  const [previous, next] = [shiftDate(date, -1), shiftDate(date, 1)];
  const [from, to] = [date, next].map((day) => startOfDay(day, adminContext.timeZone)!) as [Date, Date];
  const cursor = readCursor(after);
  const afterTime = new Date(cursor?.value ?? NaN);
  const isFirstPage = !(afterTime >= from && afterTime < to);
  const range = isFirstPage ? { from, to } : { from: afterTime, afterId: cursor!.id, to };
  const readAhead = await readEntries(app.db, postsVisibleTo(user), range, POSTS_A_PAGE + 1);
  const entries = readAhead.slice(0, POSTS_A_PAGE);
  const last = entries.at(-1);
  return {
    date,
    previous,
    next,
    isFirstPage,
    releases: isFirstPage ? await readReleases({ app, user, adminContext }, from, to) : [],
    posts: await inSteps(entries, TIMES_READ, (batch) =>
      Promise.resolve(batch.map((entry) => shownPost(entry, app.clock.now(), adminContext))),
    ),
    nextPage:
      readAhead.length > POSTS_A_PAGE ? writeCursor({ value: last!.time.toISOString(), id: last!.id }) : null,
  };
}

async function readReleases(
  { app, user, adminContext }: CalendarContext,
  from: Date,
  to: Date,
): Promise<CalendarRelease[]> {
  const now = app.clock.now();
  const releases = may(user, 'posts:publish') ? await listReleasesBetween(app, from, to) : [];
  return releases.map(({ id, name, status, publishAt, problem }) => ({
    id,
    name,
    ...shownTime(publishAt, adminContext),
    state: problem || (status === 'scheduled' && publishAt <= now) ? 'overdue' : status,
  }));
}

function shownPost(
  { time, ...post }: Entry,
  now: Date,
  adminContext: CalendarContext['adminContext'],
): CalendarPost {
  return {
    ...post,
    ...shownTime(time, adminContext),
    overdue: post.status === 'scheduled' && time <= now,
  };
}

function shownTime(time: Date, adminContext: CalendarContext['adminContext']) {
  const isRepeated = secondOccurrence(time, adminContext.timeZone) !== null;
  return {
    local: toLocalTime(time, adminContext.timeZone),
    offset: isRepeated ? offsetName(time, adminContext) : null,
    occurrence: isRepeated ? occurrenceOf(time, adminContext.timeZone) : ('first' as const),
  };
}

const moveSchema = (timeZone: string) =>
  postFormSchema(timeZone)
    .pick({ publishedAt: true, publishedAtOccurrence: true })
    .extend({
      intent: z.literal('move', 'This action is unknown. Use one of the buttons.'),
      postId: z.string().max(64),
      version: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    });

type Move = z.output<ReturnType<typeof moveSchema>>;

export async function act(args: ActionArguments): Promise<Done | ActionResult> {
  const { adminContext } = args;
  const { values } = args.form;
  const parsed = moveSchema(adminContext.timeZone).safeParse(values);
  if (!parsed.success) throw fieldError('publishedAt', messageOfIssue(parsed.error.issues[0]!));
  return answerConflict(args, parsed.data.postId, () => movePost(args, parsed.data));
}

async function movePost(
  { app, form: { values }, user, adminContext, address, request }: ActionArguments,
  { postId, version, publishedAt: firstTime = null, publishedAtOccurrence }: Move,
): Promise<Done> {
  const publishedAt = chosenOccurrence(firstTime, publishedAtOccurrence, adminContext.timeZone);
  const post = await findPostFor(app, user, postId, 'schedule');
  if (post.status !== 'scheduled') throw fieldError('publishedAt', 'Only a scheduled post can be moved.');
  // A move in the list of a day leads back to that list.
  const day = new URL(request.url).searchParams.get('day') ?? '';
  const listOf = (local: string) => (isDate(day) ? `day=${day}` : `month=${local.slice(0, 7)}`);
  const location = `${adminUrl(adminContext.adminPath, 'calendar')}?${listOf(values.publishedAt!)}`;
  // The form was sent twice, and the first one has moved the post.
  if (post.version === version + 1 && post.publishedAt?.getTime() === publishedAt?.getTime())
    return { location, id: postId, version: post.version, status: post.status };
  const move = { postId, version, intent: 'schedule', fields: { publishedAt } } as const;
  const before = await readPostFields(app.db, post);
  const exactTimes = new Set(publishedAtOccurrence ? ['publishedAt'] : []);
  const editor = { editorId: user.id, address, keepsUnsavedChanges: true };
  const saved = await editPost(app, { ...move, exactTimes, ...editor });
  const undoId = await rememberUndo(app, user.id, say('“{title}” was moved.', { title: post.title }), {
    back: `calendar?${listOf(before.publishedAt ? toLocalTime(before.publishedAt, adminContext.timeZone) : values.publishedAt!)}`,
    changes: [undoOf(post, before, saved.version)],
  });
  return { location: `${location}&undo=${undoId}`, id: postId, version: saved.version, status: saved.status };
}
