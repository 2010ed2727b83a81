import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { readListRows } from '#app/posts/list-rows.server.ts';
import { nothingFound, type EngineResult } from './engine.ts';
import { queryTerms, wordsOf } from './words.ts';

// Enough for an outage.
const POSTS_MAX = 5_000;
/** Posts that are read and compared in one turn of the event loop. */
const PORTION = 250;
const columns = { id: true, title: true, excerpt: true, categoryId: true } as const;

export interface DatabaseQuery {
  text: string;
  categoryId: string | null;
  tagId: string | null;
  offset: number;
  limit: number;
}

/**
 * Searches titles and excerpts of the newest published posts in the database, while the engine is down. Finds posts
 * with every word or words that begin with it; posts with all of them in the title come first. The words are compared
 * in code, because the two databases treat case and accents differently.
 */
export async function searchDatabase(app: Pick<App, 'db'>, query: DatabaseQuery): Promise<EngineResult> {
  const queryWords = queryTerms(query.text).flatMap(({ words }) => words);
  if (queryWords.length === 0) return nothingFound;
  const scope = query.tagId
    ? { tagId: query.tagId }
    : query.categoryId
      ? { categoryId: query.categoryId }
      : {};
  const [inTitle, inExcerpt]: [string[], string[]] = [[], []];
  for (let offset = 0; offset < POSTS_MAX; offset += PORTION) {
    const posts = await readListRows(app, scope, { offset, limit: PORTION }, columns);
    for (const { id, title, excerpt, categoryId } of posts) {
      if (query.categoryId !== null && categoryId !== query.categoryId) continue;
      if (hasAll(title, queryWords)) inTitle.push(id);
      else if (hasAll(`${title}\n${excerpt}`, queryWords)) inExcerpt.push(id);
    }
    if (posts.length < PORTION) break;
    await nextTurn();
  }
  const ids = [...inTitle, ...inExcerpt];
  return {
    ...nothingFound,
    ids: ids.slice(query.offset, query.offset + query.limit),
    total: ids.length,
    matched: { words: [], prefixes: queryWords },
  };
}

function hasAll(text: string, beginnings: string[]): boolean {
  const words = wordsOf(text);
  return beginnings.every((beginning) => words.some(({ word }) => word.startsWith(beginning)));
}
