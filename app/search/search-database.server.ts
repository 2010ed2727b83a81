import type { App } from '#app/app.ts';
import { nothingFound, type EngineResult } from './engine.ts';
import { queryTerms, wordsOf } from './words.ts';

// Enough for a substitute; the engine is meant to be back soon.
const POSTS_MAX = 5_000;

export interface DatabaseQuery {
  text: string;
  categoryId: string | null;
  tagId: string | null;
  offset: number;
  limit: number;
}

/**
 * Searches titles and excerpts of the newest published posts in the database, while the engine is down: posts
 * with every word or a beginning of it, those with all of them in the title first. The words are compared here,
 * since the two databases have ideas of their own about case and accents.
 */
export async function searchDatabase(app: Pick<App, 'db'>, query: DatabaseQuery): Promise<EngineResult> {
  const wanted = queryTerms(query.text).flatMap(({ words }) => words);
  if (wanted.length === 0) return nothingFound;
  const posts = await app.db.post.findMany({
    where: {
      status: 'published',
      ...(query.categoryId === null ? {} : { categoryId: query.categoryId }),
      ...(query.tagId === null ? {} : { tags: { some: { tagId: query.tagId } } }),
    },
    orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
    take: POSTS_MAX,
    select: { id: true, title: true, excerpt: true },
  });
  const [inTitle, inExcerpt]: [string[], string[]] = [[], []];
  for (const { id, title, excerpt } of posts) {
    if (hasAll(title, wanted)) inTitle.push(id);
    else if (hasAll(`${title}\n${excerpt}`, wanted)) inExcerpt.push(id);
  }
  const ids = [...inTitle, ...inExcerpt];
  return {
    ...nothingFound,
    ids: ids.slice(query.offset, query.offset + query.limit),
    total: ids.length,
    matched: { words: [], prefixes: wanted },
  };
}

function hasAll(text: string, wanted: string[]): boolean {
  const words = wordsOf(text);
  return wanted.every((beginning) => words.some(({ word }) => word.startsWith(beginning)));
}
