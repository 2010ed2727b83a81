import type { App } from '#app/app.ts';
import { isPublic, type ListScope } from './list-scope.ts';
import { postStatuses, type PostStatus } from './states.ts';

/*
 * Reads `post_counts`, which triggers of the database keep in the transaction of every change (decision 014).
 * Nothing here depends on how many posts there are.
 */

type Reader = Pick<App, 'db'>;

/** The name that a list's counts stand under. */
export function countedList({ categoryId, tagId, authorId }: ListScope): string {
  if (categoryId) return `category:${categoryId}`;
  if (tagId) return `tag:${tagId}`;
  return authorId ? `author:${authorId}` : 'all';
}

/** Posts of a list in one state, or in any. */
export async function countPosts(
  { db }: Reader,
  scope: ListScope = {},
  status: PostStatus | 'any' = isPublic.status,
): Promise<number> {
  const inState = status === 'any' ? { in: [...postStatuses] } : status;
  const where = { list: countedList(scope), status: inState, month: '' };
  const { _sum } = await db.postCount.aggregate({ where, _sum: { posts: true } });
  return _sum.posts ?? 0;
}

/** Posts of a list in every state. */
export async function countByStatus(
  { db }: Reader,
  scope: ListScope = {},
): Promise<Record<PostStatus, number>> {
  const where = { list: countedList(scope), status: { in: [...postStatuses] }, month: '' };
  const groups = await db.postCount.groupBy({ by: ['status'], where, _sum: { posts: true } });
  const counts = new Map(groups.map(({ status, _sum }) => [status, _sum.posts ?? 0]));
  return Object.fromEntries(postStatuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
    PostStatus,
    number
  >;
}

export interface MonthCount {
  /** In UTC: `2026-11`. */
  month: string;
  posts: number;
}

/** Published posts of a list by month in UTC, newest first; only months that have some. */
export async function countByMonth({ db }: Reader, scope: ListScope = {}): Promise<MonthCount[]> {
  const groups = await db.postCount.groupBy({
    by: ['month'],
    where: { list: countedList(scope), status: isPublic.status, month: { gt: '' } },
    _sum: { posts: true },
    orderBy: { month: 'desc' },
  });
  return groups.flatMap(({ month, _sum }) => (_sum.posts ? [{ month, posts: _sum.posts }] : []));
}

/** The instant at which a month begins, or the month some months later. */
export function startOfMonth(month: string, later = 0): Date {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + later, 1));
}

/**
 * How many posts were published before each instant. Counts whole months and then, in the index, what lies between
 * the instant and the month's beginning next to it: hours for the midnight of any time zone.
 */
export async function countPublishedBefore(
  app: Reader,
  months: MonthCount[],
  instants: Date[],
): Promise<number[]> {
  return Promise.all(
    instants.map(async (instant) => {
      const month = instant.toISOString().slice(0, 7);
      const [begin, end] = [startOfMonth(month), startOfMonth(month, 1)];
      const isLate = end.getTime() - instant.getTime() < instant.getTime() - begin.getTime();
      const whole = months
        .filter((one) => (isLate ? one.month <= month : one.month < month))
        .reduce((sum, { posts }) => sum + posts, 0);
      return isLate
        ? whole - (await countBetween(app, instant, end))
        : whole + (await countBetween(app, begin, instant));
    }),
  );
}

async function countBetween({ db }: Reader, from: Date, to: Date): Promise<number> {
  if (from.getTime() === to.getTime()) return 0;
  return db.post.count({ where: { ...isPublic, publishedAt: { gte: from, lt: to } } });
}
