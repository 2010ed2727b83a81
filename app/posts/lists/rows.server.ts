import type { Prisma } from '#app/platform/database/client.server.ts';
import type { Db } from '#app/platform/services.ts';
import { countByMonth, startOfMonth, type MonthCount } from './counts.server.ts';
import { isPublic, type ListScope } from './scope.ts';

/** A page beyond this offset is found by its month instead of by counting from the newest post. */
const NEAR = 200;

/** A range of a list's posts, counted from the newest one. */
export interface ListPart {
  offset: number;
  limit: number;
}

/** How to read a part of a list: from which instant, in which direction, and how many posts. */
interface ListWindow {
  direction: 'desc' | 'asc';
  /** Posts before this instant (`desc`), or from it on (`asc`). */
  from?: Date;
  skip: number;
  take: number;
}

/** The published posts of a part of a list, newest first. Reads an index range of at most a month. */
export async function readListRows<Columns extends Prisma.PostSelect>(
  app: Db,
  scope: ListScope,
  part: ListPart,
  select: Columns,
): Promise<Prisma.PostGetPayload<{ select: Columns }>[]> {
  const window =
    part.offset <= NEAR
      ? { direction: 'desc' as const, skip: part.offset, take: part.limit }
      : findWindow(await countByMonth(app, scope), part);
  if (window === null) return [];
  const rows =
    scope.tagId || scope.authorId
      ? await readLinked(app, scope, window, select)
      : await readPosts(app, scope, window, select);
  return window.direction === 'desc' ? rows : rows.reverse();
}

/**
 * @param months newest first
 * @returns null if the list ends before the part begins
 */
export function findWindow(months: MonthCount[], { offset, limit }: ListPart): ListWindow | null {
  const total = months.reduce((sum, { posts }) => sum + posts, 0);
  if (offset >= total) return null;
  const end = Math.min(offset + limit, total);
  const [first, last] = [monthOf(months, offset), monthOf(months, end - 1)];
  const fromNewer = offset - first.before;
  const fromOlder = last.before + last.posts - end;
  return fromNewer <= fromOlder
    ? { direction: 'desc', from: startOfMonth(first.month, 1), skip: fromNewer, take: limit }
    : { direction: 'asc', from: startOfMonth(last.month), skip: fromOlder, take: end - offset };
}

/** The month that contains a position of the list, and the number of posts that are newer than this month. */
function monthOf(months: MonthCount[], position: number): MonthCount & { before: number } {
  let before = 0;
  for (const month of months) {
    if (position < before + month.posts) return { ...month, before };
    before += month.posts;
  }
  throw new RangeError(`No month contains position ${position}.`);
}

function published({ direction, from }: ListWindow) {
  return from && { publishedAt: direction === 'desc' ? { lt: from } : { gte: from } };
}

async function readPosts<Columns extends Prisma.PostSelect>(
  { db }: Db,
  { categoryId, listedIn = '' }: ListScope,
  window: ListWindow,
  select: Columns,
) {
  const { direction, skip, take } = window;
  return db.post.findMany({
    where: { ...isPublic, listedIn, categoryId, ...published(window) },
    select,
    orderBy: [{ publishedAt: direction }, { id: direction }],
    skip,
    take,
  });
}

// Reads the rows that hold the public posts of a tag or author in order. A condition on `posts` would scan all posts of
// the tag or author.
async function readLinked<Columns extends Prisma.PostSelect>(
  { db }: Db,
  { tagId, authorId: userId, listedIn = '' }: ListScope,
  window: ListWindow,
  select: Columns,
) {
  const { direction, skip, take } = window;
  const range = {
    select: { postId: true } as const,
    orderBy: [{ publishedAt: direction }, { postId: direction }],
    skip,
    take,
  };
  const inList = { listedIn, ...published(window) };
  const listed = tagId
    ? await db.tagPost.findMany({ where: { tagId, ...inList }, ...range })
    : await db.authorPost.findMany({ where: { userId, ...inList }, ...range });
  const ids = listed.map(({ postId }) => postId);
  // Reads by primary key alone: with the state in the condition SQLite walks through the index of states. Prisma's
  // types cannot follow columns that are added to unknown ones.
  const columns = { ...select, id: true, status: true } as unknown as Columns;
  const rows = await db.post.findMany({ where: { id: { in: ids } }, select: columns });
  const byId = new Map(
    rows.flatMap((row) => {
      const { id, status } = row as { id?: string; status?: string };
      return status === isPublic.status ? [[id, row] as const] : [];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}
