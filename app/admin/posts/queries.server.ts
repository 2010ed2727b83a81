import type { Searched } from '#app/search/engine.ts';
import type { Db, Logged, Configured } from '#app/platform/services.ts';
import { mediaThumbnail, thumbnailColumns } from '#app/admin/editor/model/thumbnails.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { isOneOf, recordOf } from '#app/platform/narrow.ts';
import { isStorable } from '#app/platform/text/schemas.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { postStatuses, notTrashed, type PostStatus } from '#app/posts/fields/states.ts';
import { countByStatus } from '#app/posts/lists/counts.server.ts';
import { searchDatabase } from '#app/search/posts.server.ts';
import { sorts, type ListQuery } from './list-address.ts';
import { readCursor, writeCursor, type Cursor } from './list-query.ts';

/** The most published posts that are taken from the search engine, best matches first. */
const FOUND_MAX = 200;
const FOUND_PAGE = 100;
/** The most posts of each unpublished state that are searched in the database, the last changed ones. */
const SEARCHED_MAX = 400;
/** Posts that one query searches. With texts of 10 KB, so many block the event loop for a few milliseconds. */
const PORTION = 100;
const TIMEOUT_MS = 2_000;

interface FoundPosts {
  ids: string[];
  /** True if there may be more posts, which a more exact query finds. */
  isCut: boolean;
}

/**
 * Finds posts with all words of a query in title, excerpt or text. The search engine finds published posts. In the
 * database it searches only the last changed posts of each state, which limits the cost.
 * @param visible the condition for posts that the user may see
 */
export async function findPosts(
  app: Db & Searched & Logged & Configured,
  text: string,
  visible: { authorId?: string },
): Promise<FoundPosts> {
  if (!isStorable(text)) return { ids: [], isCut: false };
  const published = await findPublished(app, text);
  const others = await searchRecentPosts(app, text, visible);
  return { ids: [...new Set([...published.ids, ...others.ids])], isCut: published.isCut || others.isCut };
}

async function findPublished(app: Db & Searched & Logged, text: string): Promise<FoundPosts> {
  const query = { text, categoryId: null, tagId: null };
  const ids: string[] = [];
  try {
    for (;;) {
      const part = { offset: ids.length, limit: FOUND_PAGE, excludedIds: [] };
      const result = await app.search.search({ ...query, ...part }, { timeoutMs: TIMEOUT_MS });
      ids.push(...result.ids);
      const isCut = result.total > ids.length;
      if (!isCut || ids.length >= FOUND_MAX || result.ids.length === 0) return { ids, isCut };
    }
  } catch (error) {
    app.log.warn(
      { reason: messageOf(error) },
      'The search engine failed; the list of posts searched the database',
    );
    const result = await searchDatabase(app, { ...query, offset: 0, limit: FOUND_MAX });
    return { ids: result.ids, isCut: result.total > result.ids.length };
  }
}

// Includes published posts, since their newest changes may not be in the search index yet.
async function searchRecentPosts(
  { db, env }: Db & Configured,
  text: string,
  visible: { authorId?: string },
): Promise<FoundPosts> {
  const { dialect } = env.database;
  const words = { AND: text.split(/\s+/).map((word) => hasWord(word, dialect)) };
  const ids: string[] = [];
  let isCut = false;
  for (const status of postStatuses) {
    const newest = await db.post.findMany({
      where: { ...visible, status },
      select: { id: true },
      orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
      take: status === 'published' ? PORTION : SEARCHED_MAX,
    });
    isCut ||= status !== 'published' && newest.length === SEARCHED_MAX;
    for (let from = 0; from < newest.length; from += PORTION) {
      const portion = newest.slice(from, from + PORTION).map(({ id }) => id);
      const rows = await db.post.findMany({ where: { id: { in: portion }, ...words }, select: { id: true } });
      ids.push(...rows.map(({ id }) => id));
    }
  }
  return { ids, isCut };
}

// PostgreSQL distinguishes upper and lower case, and SQLite ignores case only in ASCII. Slugs are always lower-case.
function hasWord(word: string, dialect: Dialect): Prisma.PostWhereInput {
  const isAnyCase = dialect === 'sqlite' && /^[\x20-\x7e]*$/.test(word);
  const spellings = isAnyCase ? [word] : spellingsOf(word);
  const slug = toSlug(word);
  return {
    OR: [
      ...spellings.map((spelling) => ({ title: { contains: spelling } })),
      ...(slug ? [{ slug: { contains: slug } }] : []),
      ...spellings.flatMap((spelling) => [
        { excerpt: { contains: spelling } },
        { body: { contains: spelling } },
      ]),
    ],
  };
}

function spellingsOf(word: string): string[] {
  const capital = word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  return [...new Set([word, word.toLowerCase(), word.toUpperCase(), capital])];
}

const PAGE_SIZE = 40;

const columns = {
  id: true,
  slug: true,
  title: true,
  status: true,
  publishedAt: true,
  archiveAt: true,
  updatedAt: true,
  version: true,
  authorId: true,
  author: { select: { displayName: true } },
  category: { select: { name: true } },
  tags: { select: { tag: { select: { name: true } } }, orderBy: { position: 'asc' } },
  scheduledUpdate: { select: { dueAt: true } },
  coverMedia: { select: thumbnailColumns },
} satisfies Prisma.PostSelect;

export type ListedPost = Omit<Prisma.PostGetPayload<{ select: typeof columns }>, 'tags' | 'coverMedia'> & {
  tags: string[];
  /** Path of a small version of its cover; null: it has none. */
  cover: string | null;
};

/**
 * One page of the matching posts. It is read by key, so that a later page costs the same as the first one.
 * @param found ids of the posts that the query found; null without a query
 * @param visible the condition for posts that the user may see
 */
export async function listMatchingPosts(
  app: Db,
  query: ListQuery,
  visible: Prisma.PostWhereInput,
  found: string[] | null = null,
): Promise<{ posts: ListedPost[]; newer: string | null; older: string | null }> {
  const sort = sorts[query.sort ?? 'updated'];
  const before = readCursor(query.before);
  const cursor = before ?? readCursor(query.after);
  const backwards = before !== null;
  const descending = (sort.direction === 'desc') !== backwards;
  const direction = descending ? ('desc' as const) : ('asc' as const);
  const rows: Prisma.PostGetPayload<{ select: typeof columns }>[] = [];
  for (const range of rangesOf(sort.column, cursor, { descending, backwards })) {
    if (rows.length > PAGE_SIZE) break;
    const more = await app.db.post.findMany({
      where: { AND: [visible, matching(query), found ? { id: { in: found } } : {}, range] },
      select: columns,
      orderBy: [{ [sort.column]: direction }, { id: direction }],
      take: PAGE_SIZE + 1 - rows.length,
    });
    rows.push(...more);
  }
  const more = rows.length > PAGE_SIZE;
  const page = rows.slice(0, PAGE_SIZE);
  if (backwards) page.reverse();
  const key = (row: (typeof page)[number] | undefined) => row && writeCursor(cursorOf(sort.column, row));
  return {
    posts: page.map(({ tags, coverMedia, ...row }) => ({
      ...row,
      tags: tags.map(({ tag }) => tag.name),
      cover: coverMedia && mediaThumbnail(coverMedia).src,
    })),
    newer: (backwards ? more : cursor !== null) ? (key(page[0]) ?? null) : null,
    older: (backwards ? true : more) ? (key(page.at(-1)) ?? null) : null,
  };
}

/**
 * The number of matching posts in each state; the filter by state is ignored. Null for filters without stored counts.
 * @param found ids of the posts that the query found; null without a query
 */
export async function countMatchingPosts(
  app: Db,
  query: ListQuery,
  visible: { authorId?: string },
  found: string[] | null = null,
): Promise<Record<PostStatus, number> | null> {
  if (found) return countFound(app, { ...query, status: undefined }, visible, found);
  const { author, category, tag } = query;
  const scopes = [
    ...(visible.authorId ? [{ authorId: visible.authorId }] : []),
    ...(author && author !== visible.authorId ? [{ authorId: author }] : []),
    ...(category ? [{ categoryId: category }] : []),
    ...(tag ? [{ tagId: tag }] : []),
  ];
  if (scopes.length > 1 || category === 'none') return null;
  return countByStatus(app, scopes[0]);
}

async function countFound(
  app: Db,
  query: ListQuery,
  visible: Prisma.PostWhereInput,
  found: string[],
): Promise<Record<PostStatus, number>> {
  const rows = await app.db.post.findMany({
    where: { AND: [visible, matching(query), { id: { in: found } }] },
    select: { status: true },
  });
  const counts = recordOf(postStatuses, () => 0);
  for (const { status } of rows) if (isOneOf(postStatuses, status)) counts[status] += 1;
  return counts;
}

function matching({ status, author, category, tag }: ListQuery): Prisma.PostWhereInput {
  return {
    status: status ?? notTrashed.status,
    authorId: author,
    ...(category ? { categoryId: category === 'none' ? null : category } : {}),
    ...(tag ? { tags: { some: { tagId: tag } } } : {}),
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

/**
 * Conditions for the posts after the cursor, or before it when `backwards`: one for each range of the index. Posts
 * without a time are a separate range, so that they are at the end of the list on both databases.
 */
function rangesOf(
  column: SortColumn,
  cursor: Cursor | null,
  { descending, backwards }: { descending: boolean; backwards: boolean },
): Prisma.PostWhereInput[] {
  const untimed = { publishedAt: null };
  const timed = { publishedAt: { not: null } };
  if (cursor === null) return column === 'publishedAt' ? [timed, untimed] : [{}];
  const { value, id } = cursor;
  const past = <T>(limit: T) => (descending ? { lt: limit } : { gt: limit });
  // The `OR` implies this condition, but SQLite needs it to start at the right position of the index.
  const from = <T>(limit: T) => (descending ? { lte: limit } : { gte: limit });
  if (value === null) return [{ ...untimed, id: past(id) }, ...(backwards ? [timed] : [])];
  if (column === 'title')
    return [{ title: from(value), OR: [{ title: past(value) }, { title: value, id: past(id) }] }];
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return [{}];
  const here = {
    [column]: from(time),
    OR: [{ [column]: past(time) }, { [column]: time, id: past(id) }],
  };
  return column === 'publishedAt' && !backwards ? [here, untimed] : [here];
}
