import { redirect } from '@remix-run/node';
import { z } from 'zod';
import { adminUrl } from '#app/admin/admin-url.ts';
import { findPostFor } from '#app/admin/editor/find-post.server.ts';
import { postsVisibleTo } from '#app/auth/post-access.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { isAppError } from '#app/platform/errors.ts';
import { startOfDay, toLocalTime } from '#app/platform/time-zone.ts';
import { postFieldsSchema } from '#app/posts/post-form.ts';
import { editPost } from '#app/publishing/save-post.server.ts';
import { firstDayOfWeek, monthGrid, nextDate } from './month-grid.ts';

const POSTS_SHOWN = 500;

/** A post on the calendar. `local`: `YYYY-MM-DDTHH:mm` in the site's zone. */
export interface CalendarPost {
  id: string;
  title: string;
  status: 'scheduled' | 'published';
  version: number;
  local: string;
  overdue: boolean;
}

export async function load({ app, request, user, adminContext }: ScreenArguments) {
  const now = app.clock.now();
  const today = toLocalTime(now, adminContext.timeZone).slice(0, 10);
  const firstDay = firstDayOfWeek(adminContext.language);
  const asked = new URL(request.url).searchParams.get('month') ?? '';
  const grid = monthGrid(asked, firstDay) ?? monthGrid(today.slice(0, 7), firstDay)!;
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
  const posts = rows.map(({ publishedAt, status, ...post }): CalendarPost => ({
    ...post,
    status: status as CalendarPost['status'],
    local: toLocalTime(publishedAt!, adminContext.timeZone),
    overdue: status === 'scheduled' && publishedAt! <= now,
  }));
  return { grid, today, posts, more: rows.length === POSTS_SHOWN };
}

const moveSchema = (timeZone: string) =>
  postFieldsSchema(timeZone)
    .pick({ publishedAt: true })
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
  request,
  user,
  adminContext,
  address,
}: ScreenArguments): Promise<ActionResult | Response> {
  const values = await readForm(request);
  const parsed = moveSchema(adminContext.timeZone).safeParse(values);
  if (!parsed.success) return refusal(400, parsed.error.issues[0]!.message, values);
  const { postId, version, publishedAt = null } = parsed.data;
  const post = await findPostFor(app, user, postId, 'schedule');
  if (post.status !== 'scheduled') return refusal(400, 'Only a scheduled post can be moved.', values);
  // Moved already: the same form a second time.
  const done = post.version === version + 1 && post.publishedAt?.getTime() === publishedAt?.getTime();
  try {
    if (!done)
      await editPost(app, {
        postId,
        version,
        intent: 'schedule',
        fields: { publishedAt },
        editorId: user.id,
        address,
      });
  } catch (error) {
    if (!isAppError(error)) throw error;
    return refusal(error.status, error.fields.publishedAt?.[0] ?? error.message, values);
  }
  return redirect(`${adminUrl(adminContext.adminPath, 'calendar')}?month=${values.publishedAt!.slice(0, 7)}`);
}

function refusal(status: number, message: string, values: Record<string, string>): ActionResult {
  return { status, message, values, errors: { publishedAt: [message] } };
}
