import { LRUCache } from 'lru-cache';
import type { App } from '#app/app.ts';
import { searchPosts, type PostSearch, type PostSearchResult } from './search-posts.server.ts';

/** Of some kilobytes each. */
const ANSWERS_MAX = 300;

interface Answers {
  /** Of the public content and of the index, as they were when the answers were made. */
  versions: string;
  kept: LRUCache<string, PostSearchResult>;
}

const memories = new WeakMap<object, Answers>();

/**
 * `searchPosts`, with the same answer for the same question until the public content or the index changes.
 * @param contentVersion as the request saw it; undefined asks anew
 */
export async function searchPostsOnce(
  app: Pick<App, 'db' | 'log' | 'search'>,
  search: PostSearch,
  contentVersion: number | undefined,
): Promise<PostSearchResult> {
  // Read before the index is asked: an answer is never kept for a newer index than it came from.
  const indexVersion = contentVersion === undefined ? null : await indexVersionOf(app);
  if (indexVersion === null) return searchPosts(app, search);
  const { kept } = answersOf(app.db, `${contentVersion} ${indexVersion}`);
  const question = JSON.stringify([search.query, search.category, search.tag, search.page, search.perPage]);
  const known = kept.get(question);
  if (known) return known;
  const result = await searchPosts(app, search);
  if (!result.fallback) kept.set(question, result);
  return result;
}

/** Null where the engine cannot tell, or is down. */
async function indexVersionOf({ search }: Pick<App, 'search'>): Promise<string | null> {
  return (await search.indexVersion?.().catch(() => null)) ?? null;
}

function answersOf(db: object, versions: string): Answers {
  const known = memories.get(db);
  if (known?.versions === versions) return known;
  const answers: Answers = { versions, kept: new LRUCache({ max: ANSWERS_MAX }) };
  memories.set(db, answers);
  return answers;
}
