import { AppError, messageOf } from '#app/platform/errors.ts';
import { SITEMAP_KEY } from '#app/platform/http/page-keys.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import type { Db, Logged, Reading } from '#app/platform/services.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import type { Named } from '#app/posts/lists/public-post.ts';
import { isPublic, listPostsById, type FoundPost } from '#app/posts/lists/queries.server.ts';
import { readListRows } from '#app/posts/lists/rows.server.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { readCategoryName, readTagName } from '#app/posts/lists/shared-names.server.ts';
import { findTermId } from '#app/posts/terms/queries.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import {
  type EngineQuery,
  type EngineResult,
  type FacetCount,
  type MatchedWords,
  type Searched,
  nothingFound,
} from './engine.ts';
import { highlight, snippet, type TextSegment } from './highlight.ts';
import { textFromHtml } from './text-from-html.ts';
import { queryTerms, wordsOf } from './words.ts';

type SearchApp = Reading & Logged & Searched;

interface PostSearch {
  /** What the reader typed. */
  query: string;
  /** Slug; `null` for all. */
  category: string | null;
  tag: string | null;
  /** From 1. */
  page: number;
  /** 1 to 100. */
  perPage: number;
}

export interface PostHit {
  post: Omit<FoundPost, 'bodyHtml'>;
  title: TextSegment[];
  /** The part of the body around the match, or of the excerpt if the body has none. */
  snippet: TextSegment[];
}

export type Facet = Named & { count: number };

export interface PostSearchResult {
  hits: PostHit[];
  total: number;
  /** More posts match than `total`, and facets may have more posts than their counts. */
  isCut: boolean;
  /** At least 1. */
  pages: number;
  categories: Facet[];
  tags: Facet[];
  /** The query that was searched, if the engine corrected it. */
  correctedQuery: string | null;
  /** The engine was down, so titles and excerpts were searched in the database. The page must say so. */
  fallback: boolean;
}

/** A longer query is cut. */
const QUERY_MAX = 500;

/** Time limit of the engine's answer to a reader. */
const TIMEOUT_MS = 2_000;
/** When more unpublished posts than this wait in the outbox, the index is too old to be used. */
const WAITING_MAX = 2_000;
/** How often the engine is asked while it returns posts that are not public. */
const ATTEMPTS = 3;

const nothing: PostSearchResult = {
  ...{ hits: [], total: 0, isCut: false, pages: 1, categories: [], tags: [], correctedQuery: null },
  fallback: false,
};

/**
 * Searches the published posts. Hits are shown from the database. Posts whose change still waits for the index count
 * only if they are published. So a stale index shows nothing that is no longer public.
 */
export async function searchPosts(app: SearchApp, search: PostSearch): Promise<PostSearchResult> {
  const text = cutText(search.query, QUERY_MAX).toWellFormed();
  // A query without a letter, digit or emoji finds nothing, whatever an engine would return.
  if (queryTerms(text).length === 0) return nothing;
  // A term that only unpublished posts have counts as unknown.
  const [categoryId, tagId] = await Promise.all([
    search.category === null ? null : findTermId(app, 'category', search.category),
    search.tag === null ? null : findTermId(app, 'tag', search.tag),
  ]);
  if ((search.category !== null && !categoryId) || (search.tag !== null && !tagId)) return nothing;
  const query = {
    text,
    categoryId,
    tagId,
    offset: (search.page - 1) * search.perPage,
    limit: search.perPage,
  };
  let answer: EngineAnswer;
  let fallback = false;
  try {
    answer = await askEngine(app, query);
  } catch (error) {
    if (await isNewSite(app)) return nothing;
    app.log.warn({ reason: messageOf(error) }, 'Search fell back to the database');
    const result = await searchDatabase(app, query);
    answer = { result, posts: await listPostsById(app, result.ids) };
    fallback = true;
  }
  const { result, posts } = answer;
  const [categories, tags] = await Promise.all([
    named(result.categories, (id) => readCategoryName(app, id)),
    named(result.tags, (id) => readTagName(app, id)),
  ]);
  return {
    hits: posts.map((post) => showHit(post, result.matched)),
    total: result.total,
    isCut: result.isCut,
    pages: Math.max(1, Math.ceil(result.total / search.perPage)),
    categories,
    tags,
    correctedQuery: result.correctedText,
    fallback,
  };
}

/** True before the first publication, which makes the index. */
async function isNewSite({ db, search }: SearchApp): Promise<boolean> {
  if (await db.post.findFirst({ where: isPublic, select: { id: true } })) return false;
  const health = await search.health({ timeoutMs: TIMEOUT_MS }).catch(() => null);
  return health === 'missing';
}

interface EngineAnswer {
  result: EngineResult;
  /** The posts of the page, from the database. */
  posts: FoundPost[];
}

async function askEngine(app: SearchApp, query: Omit<EngineQuery, 'excludedIds'>): Promise<EngineAnswer> {
  const excludedIds = await unpublishedWaiting(app);
  for (let attempt = 1; ; attempt += 1) {
    const result = await app.search.search({ ...query, excludedIds }, { timeoutMs: TIMEOUT_MS });
    const posts = await listPostsById(app, result.ids);
    const unpublished = result.ids.filter((id) => !posts.some((post) => post.id === id));
    if (unpublished.length === 0 || attempt === ATTEMPTS) return { result, posts };
    // The index has posts that are neither public nor in the outbox. They must not count.
    excludedIds.push(...unpublished);
  }
}

/** Posts that are no longer public but may still be in the index. */
async function unpublishedWaiting(app: SearchApp): Promise<string[]> {
  // Nearly always none waits, and only a change of a public post adds one. A list is not shared: it would outlast the
  // drain that shortens it.
  const isSomeWaiting = await readShared(app, 'unpublished posts wait', async (reader) => {
    reader.recordKeys?.(SITEMAP_KEY);
    return (await readUnpublishedWaiting(reader)).length > 0;
  });
  return isSomeWaiting ? readUnpublishedWaiting(app) : [];
}

async function readUnpublishedWaiting({ db }: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ post_id: string }[]>`
    SELECT o.post_id FROM search_outbox o LEFT JOIN posts p ON p.id = o.post_id AND p.status = 'published'
    WHERE p.id IS NULL LIMIT ${WAITING_MAX + 1}`;
  if (rows.length > WAITING_MAX)
    throw new AppError('unavailable', 'Too many changes still wait for the search index.');
  return rows.map(({ post_id }) => post_id);
}

function showHit({ bodyHtml, ...post }: FoundPost, matched: MatchedWords): PostHit {
  const fromBody = snippet(textFromHtml(bodyHtml), matched);
  const isInBody = fromBody.some(({ marked }) => marked);
  const shown = isInBody ? fromBody : snippet(post.excerpt, matched);
  return { post, title: highlight(post.title, matched), snippet: shown };
}

async function named(facets: FacetCount[], read: (id: string) => Promise<Named | null>): Promise<Facet[]> {
  const terms = await Promise.all(facets.map(async ({ id, count }) => ({ term: await read(id), count })));
  return terms.flatMap(({ term, count }) => (term ? [{ ...term, count }] : []));
}

/** Posts of each list. Enough for an outage. */
const POSTS_MAX = 5_000;
/** Posts that are read and compared in one turn of the event loop. */
const PORTION = 250;
const columns = { id: true, title: true, excerpt: true, categoryId: true, publishedAt: true } as const;

/**
 * Searches titles and excerpts of the newest published posts in every language, and of pages, in the database, while
 * the engine is down. Finds posts with every word or words that begin with it; posts with all of them in the title come
 * first. The words are compared in code, because the two databases treat case and accents differently.
 */
export async function searchDatabase(
  app: Db,
  query: Omit<EngineQuery, 'excludedIds'>,
): Promise<EngineResult> {
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
