import type { Db } from '#app/platform/services.ts';
import { postStatuses, type PostStatus } from '#app/posts/fields/states.ts';
import { isPublic, type ListScope } from './scope.ts';

/*
 * Reads `post_counts`, which database triggers update in the transaction of every change (decision 014). The cost of a
 * read does not depend on the number of posts.
 */

/**
 * The name under which the counts of a list are stored. A suffix `/<list>` counts only the posts that are in this other
 * list instead of the main one.
 */
function countedList({ categoryId, tagId, authorId, listedIn }: ListScope): string {
  const suffix = listedIn ? `/${listedIn}` : '';
  // Without a list: the posts that the account created. Within a list: the posts that name it as an author.
  if (authorId) return listedIn === undefined ? `author:${authorId}` : `by:${authorId}${suffix}`;
  if (categoryId) return `category:${categoryId}${suffix}`;
  return tagId ? `tag:${tagId}${suffix}` : `all${suffix}`;
}

/** The suffix for all lists but the main one. The main list contains the posts that are in no other list. */
const OTHER_LISTS = '-';

/** The counts to add for a list, and those to subtract. */
function countsOf(scope: ListScope): { list: string; subtracted: string | null } {
  const isMain = scope.listedIn === '' && !scope.authorId;
  const subtracted = isMain ? countedList({ ...scope, listedIn: OTHER_LISTS }) : null;
  return { list: countedList(scope), subtracted };
}

function listsOf(scope: ListScope): { in: string[] } {
  const { list, subtracted } = countsOf(scope);
  return { in: subtracted === null ? [list] : [list, subtracted] };
}

/** The number of posts of a list in one state, or in any. */
export async function countPosts(
  { db }: Db,
  scope: ListScope = {},
  status: PostStatus | 'any' = isPublic.status,
): Promise<number> {
  const inState = status === 'any' ? { in: [...postStatuses] } : status;
  const where = { list: listsOf(scope), status: inState, month: '' };
  const groups = await db.postCount.groupBy({ by: ['list'], where, _sum: { posts: true } });
  return groups.reduce((sum, group) => sum + signed(scope, group), 0);
}

function signed(scope: ListScope, { list, _sum }: { list: string; _sum: { posts: number | null } }): number {
  const posts = _sum.posts ?? 0;
  return list === countsOf(scope).subtracted ? -posts : posts;
}

/** The number of posts of a list in each state. */
export async function countByStatus({ db }: Db, scope: ListScope = {}): Promise<Record<PostStatus, number>> {
  const where = { list: countedList(scope), status: { in: [...postStatuses] }, month: '' };
  const groups = await db.postCount.groupBy({ by: ['status'], where, _sum: { posts: true } });
  const counts = new Map(groups.map(({ status, _sum }) => [status, _sum.posts ?? 0]));
  return Object.fromEntries(postStatuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
    PostStatus,
    number
  >;
}

export interface ListCount {
  /** In every state. */
  posts: number;
  published: number;
}

/** The counts of every category, tag or author that has posts, by id: in one list, or in all. */
export async function countEachList(
  { db }: Db,
  kind: 'category' | 'tag' | 'author',
  listedIn?: string,
): Promise<Map<string, ListCount>> {
  const groups = await db.postCount.groupBy({
    by: ['list', 'status'],
    // An id begins with a digit or a letter up to f. The range contains every list of the kind also where PostgreSQL
    // sorts by the rules of a language: many of them put the semicolon before the colon.
    where: { month: '', list: { gte: `${kind}:`, lt: `${kind}:zz` }, status: { in: [...postStatuses] } },
    _sum: { posts: true },
  });
  const counts = new Map<string, ListCount>();
  for (const { list, status, _sum } of groups) {
    const [id = '', shownIn = ''] = list.slice(kind.length + 1).split('/');
    const sign = signOf(shownIn, listedIn);
    if (sign === 0 || !_sum.posts) continue;
    const count = counts.get(id) ?? { posts: 0, published: 0 };
    count.posts += sign * _sum.posts;
    if (status === isPublic.status) count.published += sign * _sum.posts;
    counts.set(id, count);
  }
  return counts;
}

/** Whether counts with the suffix `shownIn` are added (1), subtracted (-1) or ignored (0). */
function signOf(shownIn: string, listedIn: string | undefined): 1 | 0 | -1 {
  if (listedIn) return shownIn === listedIn ? 1 : 0;
  if (shownIn === '') return 1;
  return listedIn === '' && shownIn === OTHER_LISTS ? -1 : 0;
}

export interface MonthCount {
  /** In UTC: `2026-11`. */
  month: string;
  posts: number;
}

/** Published posts of a list by month in UTC, newest first; only months that have some. */
export async function countByMonth({ db }: Db, scope: ListScope = {}): Promise<MonthCount[]> {
  const groups = await db.postCount.groupBy({
    by: ['month', 'list'],
    where: { list: listsOf(scope), status: isPublic.status, month: { gt: '' } },
    _sum: { posts: true },
    orderBy: { month: 'desc' },
  });
  const months = new Map<string, number>();
  for (const group of groups) months.set(group.month, (months.get(group.month) ?? 0) + signed(scope, group));
  return [...months].flatMap(([month, posts]) => (posts > 0 ? [{ month, posts }] : []));
}

/** The instant at which a month begins; with `later`, the month that many months after it. */
export function startOfMonth(month: string, later = 0): Date {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + later, 1));
}

/**
 * How many posts were published before each instant. Adds up whole months, then counts in the index the posts between
 * the instant and the nearest start of a month. For midnight in any time zone these are a few hours.
 */
export async function countPublishedBefore(
  app: Db,
  months: MonthCount[],
  instants: Date[],
  listedIn?: string,
): Promise<number[]> {
  return Promise.all(
    instants.map(async (instant) => {
      const month = instant.toISOString().slice(0, 7);
      const [begin, end] = [startOfMonth(month), startOfMonth(month, 1)];
      const isLate = end.getTime() - instant.getTime() < instant.getTime() - begin.getTime();
      const whole = months
        .filter((entry) => (isLate ? entry.month <= month : entry.month < month))
        .reduce((sum, { posts }) => sum + posts, 0);
      return isLate
        ? whole - (await countBetween(app, [instant, end], listedIn))
        : whole + (await countBetween(app, [begin, instant], listedIn));
    }),
  );
}

async function countBetween(
  { db }: Db,
  [from, to]: [Date, Date],
  listedIn: string | undefined,
): Promise<number> {
  if (from.getTime() === to.getTime()) return 0;
  return db.post.count({ where: { ...isPublic, listedIn, publishedAt: { gte: from, lt: to } } });
}
