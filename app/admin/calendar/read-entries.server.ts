import type { App } from '#app/app.ts';

/** Entries that one query reads, in one turn of the event loop. */
const READ_AT_ONCE = 50;

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

type Db = Pick<App['db'], 'post' | 'scheduledUpdate'>;
type Visible = { authorId?: string };

/**
 * Reads the first entries of a range, in the order of time and id.
 * @param visible the condition for posts that the user may see
 */
export async function readEntries(db: Db, visible: Visible, range: Range, take: number): Promise<Entry[]> {
  const { post, update } = conditions(visible, range);
  const posts = await db.post.findMany({
    where: post,
    select: { id: true, title: true, status: true, version: true, publishedAt: true },
    orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
    take,
  });
  const updates = await db.scheduledUpdate.findMany({
    where: update,
    select: { dueAt: true, post: { select: { id: true, title: true, version: true } } },
    orderBy: [{ dueAt: 'asc' }, { postId: 'asc' }],
    take,
  });
  const entries = [
    ...posts.map(({ publishedAt, status, ...row }): Entry => ({
      ...row,
      status: status as Entry['status'],
      time: publishedAt!,
    })),
    ...updates.map(({ dueAt, post: row }): Entry => ({
      ...row,
      status: 'scheduled',
      time: dueAt,
      isUpdate: true,
    })),
  ];
  return entries.sort(byTimeAndId).slice(0, take);
}

/** Reads the first entries of each day and counts the others. */
export async function readMonth(
  db: Db,
  visible: Visible,
  days: readonly Day[],
  most: number,
): Promise<DayEntries[]> {
  const read: DayEntries[] = [];
  const to = days.at(-1)!.to;
  while (read.length < days.length) {
    const batch = await readEntries(db, visible, { from: days[read.length]!.from, to }, READ_AT_ONCE);
    const isAll = batch.length < READ_AT_ONCE;
    for (const day of days.slice(read.length)) {
      const entries = batch.filter(({ time }) => time >= day.from && time < day.to);
      const isWhole = isAll || batch.at(-1)!.time >= day.to;
      // The next query begins with this day.
      if (!isWhole && entries.length <= most) break;
      const more = entries.length > most ? (await countEntries(db, visible, day)) - most : 0;
      read.push({ date: day.date, entries: entries.slice(0, most), more });
      if (!isWhole) break;
    }
  }
  return read;
}

async function countEntries(db: Db, visible: Visible, range: Range): Promise<number> {
  const { post, update } = conditions(visible, range);
  const posts = await db.post.count({ where: post });
  return posts + (await db.scheduledUpdate.count({ where: update }));
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
