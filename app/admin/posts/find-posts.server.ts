import type { App } from '#app/app.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { isStorable } from '#app/platform/text/schemas.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { searchDatabase } from '#app/search/search-database.server.ts';

/** The most published posts that are taken from the search engine, best matches first. */
const FOUND_MAX = 200;
const FOUND_PAGE = 100;
/** The most posts of each unpublished state that are searched in the database, the last changed ones. */
const SEARCHED_MAX = 400;
/** Posts that one query searches. With texts of 10 KB, so many block the event loop for a few milliseconds. */
const PORTION = 100;
const TIMEOUT_MS = 2_000;

/** The posts that a query found. */
export interface FoundPosts {
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
  app: Pick<App, 'db' | 'search' | 'log' | 'env'>,
  text: string,
  visible: { authorId?: string },
): Promise<FoundPosts> {
  if (!isStorable(text)) return { ids: [], isCut: false };
  const published = await findPublished(app, text);
  const others = await searchRecentPosts(app, text, visible);
  return { ids: [...new Set([...published.ids, ...others.ids])], isCut: published.isCut || others.isCut };
}

async function findPublished(app: Pick<App, 'db' | 'search' | 'log'>, text: string): Promise<FoundPosts> {
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
  { db, env }: Pick<App, 'db' | 'env'>,
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
