import type { App } from '#app/app.ts';
import { sql, type Prisma } from '#app/platform/database/client.server.ts';

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
