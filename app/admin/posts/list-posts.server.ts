import type { App } from '#app/app.ts';
import type { Prisma } from '#app/platform/database.server.ts';
import { isStorable } from '#app/platform/text.ts';
import { toSlug } from '#app/platform/slug.ts';
import { notTrashed, postStatuses, type PostStatus } from '#app/posts/states.ts';
import { sorts } from './list-address.ts';
import { readCursor, writeCursor, type Cursor, type ListQuery } from './list-query.ts';

export const PAGE_SIZE = 40;

const columns = {
  id: true,
  slug: true,
  title: true,
  status: true,
  publishedAt: true,
  archiveAt: true,
  updatedAt: true,
  version: true,
  author: { select: { displayName: true } },
  category: { select: { name: true } },
  tags: { select: { tag: { select: { name: true } } }, orderBy: { position: 'asc' } },
} satisfies Prisma.PostSelect;

export type ListedPost = Omit<Prisma.PostGetPayload<{ select: typeof columns }>, 'tags'> & { tags: string[] };

/**
 * One page of the posts that match, by key: a deep page costs what the first one costs.
 * @param own what this person may see
 */
export async function listMatchingPosts(
  app: Pick<App, 'db'>,
  query: ListQuery,
  own: Prisma.PostWhereInput,
): Promise<{ posts: ListedPost[]; newer: string | null; older: string | null }> {
  const sort = sorts[query.sort ?? 'updated'];
  const before = readCursor(query.before);
  const cursor = before ?? readCursor(query.after);
  const backwards = before !== null;
  const descending = (sort.direction === 'desc') !== backwards;
  const direction = descending ? ('desc' as const) : ('asc' as const);
  // Posts without a time stand at the end, on both databases.
  const nulls = backwards ? ('first' as const) : ('last' as const);
  const rows = await app.db.post.findMany({
    where: { AND: [own, matching(query), cursor ? beyond(sort.column, cursor, descending, backwards) : {}] },
    select: columns,
    orderBy: [
      sort.column === 'publishedAt'
        ? { publishedAt: { sort: direction, nulls } }
        : { [sort.column]: direction },
      { id: direction },
    ],
    take: PAGE_SIZE + 1,
  });
  const more = rows.length > PAGE_SIZE;
  const page = rows.slice(0, PAGE_SIZE);
  if (backwards) page.reverse();
  const key = (row: (typeof page)[number] | undefined) => row && writeCursor(cursorOf(sort.column, row));
  return {
    posts: page.map(({ tags, ...row }) => ({ ...row, tags: tags.map(({ tag }) => tag.name) })),
    newer: (backwards ? more : cursor !== null) ? (key(page[0]) ?? null) : null,
    older: (backwards ? true : more) ? (key(page.at(-1)) ?? null) : null,
  };
}

/** How many posts match in each state, whatever state is chosen. */
export async function countMatchingPosts(
  app: Pick<App, 'db'>,
  query: ListQuery,
  own: Prisma.PostWhereInput,
): Promise<Record<PostStatus, number>> {
  const groups = await app.db.post.groupBy({
    by: ['status'],
    where: { AND: [own, matching({ ...query, status: undefined })] },
    _count: true,
  });
  const counts = new Map(groups.map((group) => [group.status, group._count]));
  return Object.fromEntries(postStatuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
    PostStatus,
    number
  >;
}

function matching({ status, author, category, tag, q }: ListQuery): Prisma.PostWhereInput {
  return {
    status: status ?? notTrashed.status,
    authorId: author,
    ...(category ? { categoryId: category === 'none' ? null : category } : {}),
    ...(tag ? { tags: { some: { tagId: tag } } } : {}),
    ...(q && isStorable(q) ? { AND: q.split(/\s+/).map(hasWord) } : {}),
  };
}

// PostgreSQL compares letters exactly and SQLite folds only ASCII; slugs are lower-case on both.
function hasWord(word: string): Prisma.PostWhereInput {
  const capital = word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  const spellings = new Set([word, word.toLowerCase(), word.toUpperCase(), capital]);
  const slug = toSlug(word);
  return {
    OR: [
      ...[...spellings].map((spelling) => ({ title: { contains: spelling } })),
      ...(slug ? [{ slug: { contains: slug } }] : []),
      { excerpt: { contains: word } },
    ],
  };
}

type SortColumn = (typeof sorts)[keyof typeof sorts]['column'];

function cursorOf(
  column: SortColumn,
  row: { id: string; title: string; updatedAt: Date; publishedAt: Date | null },
): Cursor {
  const value = row[column];
  return { value: value instanceof Date ? value.toISOString() : value, id: row.id };
}

// What comes after the cursor in the direction of reading. Times are null at the list's end only.
function beyond(
  column: SortColumn,
  { value, id }: Cursor,
  descending: boolean,
  backwards: boolean,
): Prisma.PostWhereInput {
  const past = <T>(limit: T) => (descending ? { lt: limit } : { gt: limit });
  if (value === null) {
    const sameNull = { publishedAt: null, id: past(id) };
    return backwards ? { OR: [sameNull, { publishedAt: { not: null } }] } : sameNull;
  }
  if (column === 'title') return { OR: [{ title: past(value) }, { title: value, id: past(id) }] };
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return {};
  const here = [{ [column]: past(time) }, { [column]: time, id: past(id) }];
  return { OR: column === 'publishedAt' && !backwards ? [...here, { publishedAt: null }] : here };
}
