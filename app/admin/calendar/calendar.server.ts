import { z } from 'zod';
import { adminUrl } from '#app/admin/admin-url.ts';
import { may } from '#app/auth/roles.ts';
import { listReleasesBetween } from '#app/releases/queries.server.ts';
import { chosenOccurrence, occurrenceOf } from '#app/admin/editor/editor-form.server.ts';
import { findPostFor } from '#app/admin/editor/find-post.server.ts';
import { postsVisibleTo } from '#app/auth/post-access.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/screen.ts';
import { inSteps } from '#app/platform/event-loop.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { offsetName } from '#app/platform/repeated-hour.ts';
import { secondOccurrence, startOfDay, toLocalTime } from '#app/platform/time-zone.ts';
import { postFormSchema } from '#app/posts/post-form.ts';
import { editPost } from '#app/publishing/save-post.server.ts';
import { readUndoOffer } from '#app/admin/undo.server.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { undoOf } from '#app/publishing/undo-change.ts';
import { rememberUndo } from '#app/publishing/undo.server.ts';
import { firstDayOfWeek, monthGrid, nextDate } from './month-grid.ts';

const POSTS_SHOWN = 500;
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

export async function load(args: ScreenArguments) {
  const { app, request, user, adminContext } = args;
  const now = app.clock.now();
  const today = toLocalTime(now, adminContext.timeZone).slice(0, 10);
  const firstDay = firstDayOfWeek(adminContext.language);
  const requested = new URL(request.url).searchParams.get('month') ?? '';
  const grid = monthGrid(requested, firstDay) ?? monthGrid(today.slice(0, 7), firstDay)!;
  const from = startOfDay(grid.days[0]!, adminContext.timeZone)!;
  const to = startOfDay(nextDate(grid.days.at(-1)!), adminContext.timeZone)!;
  const rows = await app.db.post.findMany({
    where: {
      AND: [
        postsVisibleTo(user),
        { status: { in: ['scheduled', 'published'] }, publishedAt: { gte: from, lt: to } },
      ],
    },
    select: { id: true, title: true, status: true, version: true, publishedAt: true },
    orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
    take: POSTS_SHOWN,
  });
  const updates = await app.db.scheduledUpdate.findMany({
    where: { dueAt: { gte: from, lt: to }, post: { ...postsVisibleTo(user), status: 'published' } },
    select: { dueAt: true, post: { select: { id: true, title: true, version: true } } },
    orderBy: [{ dueAt: 'asc' }, { postId: 'asc' }],
    take: POSTS_SHOWN,
  });
  const updateOf = ({ dueAt, post }: (typeof updates)[number]): CalendarPost => ({
    ...post,
    status: 'scheduled',
    ...shownTime(dueAt, adminContext),
    overdue: dueAt <= now,
    isUpdate: true,
  });
  const postOf = ({ publishedAt, status, ...post }: (typeof rows)[number]): CalendarPost => ({
    ...post,
    status: status as CalendarPost['status'],
    ...shownTime(publishedAt!, adminContext),
    overdue: status === 'scheduled' && publishedAt! <= now,
  });
  const inTurns = <Row>(all: Row[], shownOf: (row: Row) => CalendarPost) =>
    inSteps(all, TIMES_READ, (batch) => Promise.resolve(batch.map(shownOf)));
  const posts = [...(await inTurns(rows, postOf)), ...(await inTurns(updates, updateOf))];
  const releases = may(user, 'posts:publish') ? await listReleasesBetween(app, from, to) : [];
  const shown = releases.map(({ id, name, status, publishAt, problem }) => ({
    id,
    name,
    ...shownTime(publishAt, adminContext),
    state: problem || (status === 'scheduled' && publishAt <= now) ? 'overdue' : status,
  }));
  return {
    grid,
    today,
    // Compared by character code: a comparison by language takes long, and the texts consist of digits.
    posts: posts.sort((a, b) => (a.local < b.local ? -1 : Number(a.local > b.local))),
    releases: shown,
    more: rows.length === POSTS_SHOWN,
    undo: await readUndoOffer(args, 'calendar'),
  };
}

function shownTime(time: Date, adminContext: ScreenArguments['adminContext']) {
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

/** Moves a scheduled post to another time. */
export async function act({
  app,
  form: { values },
  user,
  adminContext,
  address,
}: ActionArguments): Promise<Done> {
  const parsed = moveSchema(adminContext.timeZone).safeParse(values);
  if (!parsed.success) throw fieldError('publishedAt', parsed.error.issues[0]!.message);
  const { postId, version, publishedAtOccurrence } = parsed.data;
  const publishedAt = chosenOccurrence(
    parsed.data.publishedAt ?? null,
    publishedAtOccurrence,
    adminContext.timeZone,
  );
  const post = await findPostFor(app, user, postId, 'schedule');
  if (post.status !== 'scheduled') throw fieldError('publishedAt', 'Only a scheduled post can be moved.');
  const location = `${adminUrl(adminContext.adminPath, 'calendar')}?month=${values.publishedAt!.slice(0, 7)}`;
  // The form was sent twice, and the first one has moved the post.
  if (post.version === version + 1 && post.publishedAt?.getTime() === publishedAt?.getTime())
    return { location, id: postId, version: post.version, status: post.status };
  const move = { postId, version, intent: 'schedule', fields: { publishedAt } } as const;
  const before = await readPostFields(app.db, post);
  const exactTimes = new Set(publishedAtOccurrence ? ['publishedAt'] : []);
  const saved = await editPost(app, { ...move, exactTimes, editorId: user.id, address });
  const undoId = await rememberUndo(app, user.id, `“${post.title}” was moved.`, {
    back: `calendar?month=${(before.publishedAt ? toLocalTime(before.publishedAt, adminContext.timeZone) : values.publishedAt!).slice(0, 7)}`,
    changes: [undoOf(post, before, saved.version)],
  });
  return { location: `${location}&undo=${undoId}`, id: postId, version: saved.version, status: saved.status };
}
