import * as z from 'zod';
import { answerConflict } from '#app/admin/editor/model/current-version.server.ts';
import { findPostFor } from '#app/admin/editor/model/find-post.server.ts';
import { chosenOccurrence, occurrenceOf } from '#app/admin/editor/model/form.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, ActionResult, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { readUndoOffer } from '#app/admin/frame/undo.server.ts';
import { readCursor, writeCursor } from '#app/admin/posts/list-query.ts';
import { postsVisibleTo } from '#app/people/post-access.ts';
import { may } from '#app/people/roles.ts';
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
import { readEntries, readMonth, type Entry } from './read-entries.server.ts';

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

/** Moves a scheduled post to another time. */
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
