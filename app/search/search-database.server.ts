import type { Db } from '#app/platform/services.ts';
import { PAGES_LIST } from '#app/posts/lists/lists.ts';
import { readListRows } from '#app/posts/lists/rows.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { nothingFound, type EngineResult } from './engine.ts';
import { queryTerms, wordsOf } from './words.ts';

/** Posts of each list. Enough for an outage. */
const POSTS_MAX = 5_000;
/** Posts that are read and compared in one turn of the event loop. */
const PORTION = 250;
const columns = { id: true, title: true, excerpt: true, categoryId: true, publishedAt: true } as const;

export interface DatabaseQuery {
  text: string;
  categoryId: string | null;
  tagId: string | null;
  offset: number;
  limit: number;
}

/**
 * Searches titles and excerpts of the newest published posts in every language, and of pages, in the database, while
 * the engine is down. Finds posts with every word or words that begin with it; posts with all of them in the title come
 * first. The words are compared in code, because the two databases treat case and accents differently.
 */
export async function searchDatabase(app: Db, query: DatabaseQuery): Promise<EngineResult> {
  const queryWords = queryTerms(query.text).flatMap(({ words }) => words);
  if (queryWords.length === 0) return nothingFound;
  const scope = query.tagId
    ? { tagId: query.tagId }
    : query.categoryId
      ? { categoryId: query.categoryId }
      : {};
  const inTitle: Found[] = [];
  const inExcerpt: Found[] = [];
  for (const listedIn of ['', PAGES_LIST, ...(await readSetting(app, 'site_languages'))])
    for (let offset = 0; offset < POSTS_MAX; offset += PORTION) {
      const posts = await readListRows(app, { ...scope, listedIn }, { offset, limit: PORTION }, columns);
      for (const post of posts) {
        const { title, excerpt, categoryId } = post;
        if (query.categoryId !== null && categoryId !== query.categoryId) continue;
        if (hasAll(title, queryWords)) inTitle.push(post);
        else if (hasAll(`${title}\n${excerpt}`, queryWords)) inExcerpt.push(post);
      }
      if (posts.length < PORTION) break;
    }
  const ids = [...inTitle.sort(newestFirst), ...inExcerpt.sort(newestFirst)].map(({ id }) => id);
  return {
    ...nothingFound,
    ids: ids.slice(query.offset, query.offset + query.limit),
    total: ids.length,
    matched: { words: [], prefixes: queryWords },
  };
}

interface Found {
  id: string;
  publishedAt: Date | null;
}

function newestFirst(a: Found, b: Found): number {
  return (b.publishedAt?.getTime() ?? 0) - (a.publishedAt?.getTime() ?? 0);
}

function hasAll(text: string, beginnings: string[]): boolean {
  const words = wordsOf(text);
  return beginnings.every((beginning) => words.some(({ word }) => word.startsWith(beginning)));
}
