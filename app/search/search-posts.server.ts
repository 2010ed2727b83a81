import type { App } from '#app/app.ts';
import { AppError, messageOf } from '#app/platform/errors.ts';
import type { Named, PostSummary } from '#app/posts/public-post.ts';
import { isPublic, listPostsById } from '#app/posts/queries.server.ts';
import { findCategory, findTag } from '#app/taxonomy/queries.server.ts';
import type { EngineQuery, EngineResult, FacetCount, MatchedWords } from './engine.ts';
import { highlight, snippet, type TextSegment } from './highlight.ts';
import { searchDatabase } from './search-database.server.ts';
import { textFromHtml } from './text-from-html.ts';
import { queryTerms } from './words.ts';

type SearchApp = Pick<App, 'db' | 'log' | 'search'>;

export interface PostSearch {
  /** What the reader typed. */
  query: string;
  /** Slugs, `null` for all. */
  category: string | null;
  tag: string | null;
  /** From 1. */
  page: number;
  /** 1 to 100. */
  perPage: number;
}

export interface PostHit {
  post: PostSummary;
  title: TextSegment[];
  /** Of the body, or else the excerpt, around the match. */
  snippet: TextSegment[];
}

export type Facet = Named & { count: number };

export interface PostSearchResult {
  hits: PostHit[];
  total: number;
  /** There are more than `total`, and facets may have more than their counts. */
  isCut: boolean;
  /** At least 1. */
  pages: number;
  categories: Facet[];
  tags: Facet[];
  /** What was searched instead where the engine corrected the query. */
  correctedQuery: string | null;
  /** The engine was down, so titles and excerpts were searched in the database: say so. */
  fallback: boolean;
}

/** Longer queries are cut: nobody types them. */
export const QUERY_MAX = 500;

/** A reader waits no longer than this for the engine. */
const TIMEOUT_MS = 2_000;
/** More posts than this that left the public and still wait for the index: it is too far behind to be asked. */
const WAITING_MAX = 2_000;
/** Asking again when the index had posts that are not public; more than once only while posts change. */
const ATTEMPTS = 3;

const nothing: PostSearchResult = {
  hits: [],
  total: 0,
  isCut: false,
  pages: 1,
  categories: [],
  tags: [],
  correctedQuery: null,
  fallback: false,
};

/**
 * Searches the published posts. Hits are shown from the database, and posts whose change is still waiting for
 * the index count only when they are published, so a stale index shows nothing that is no longer public.
 */
export async function searchPosts(app: SearchApp, search: PostSearch): Promise<PostSearchResult> {
  const text = search.query.slice(0, QUERY_MAX).toWellFormed();
  // Without a letter or digit an engine would match everything or nothing; we say nothing.
  if (queryTerms(text).length === 0) return nothing;
  // A term that only unpublished posts have is as unknown as one that does not exist.
  const [category, tag] = await Promise.all([
    search.category === null ? null : findCategory(app, search.category),
    search.tag === null ? null : findTag(app, search.tag),
  ]);
  if ((search.category !== null && !category) || (search.tag !== null && !tag)) return nothing;
  const query = {
    text,
    categoryId: category?.id ?? null,
    tagId: tag?.id ?? null,
    offset: (search.page - 1) * search.perPage,
    limit: search.perPage,
  };
  let found: Found;
  let fallback = false;
  try {
    found = await askEngine(app, query);
  } catch (error) {
    app.log.warn({ reason: messageOf(error) }, 'Search fell back to the database');
    const result = await searchDatabase(app, query);
    found = { result, posts: await listPostsById(app, result.ids) };
    fallback = true;
  }
  const { result, posts } = found;
  const [hits, categories, tags] = await Promise.all([
    showHits(app, posts, result.matched),
    named(result.categories, (ids) => app.db.category.findMany({ where: { id: { in: ids } } })),
    named(result.tags, (ids) => app.db.tag.findMany({ where: { id: { in: ids } } })),
  ]);
  return {
    hits,
    total: result.total,
    isCut: result.isCut,
    pages: Math.max(1, Math.ceil(result.total / search.perPage)),
    categories,
    tags,
    correctedQuery: result.correctedText,
    fallback,
  };
}

interface Found {
  result: EngineResult;
  /** The page, as the database has it. */
  posts: PostSummary[];
}

async function askEngine(app: SearchApp, query: Omit<EngineQuery, 'excludedIds'>): Promise<Found> {
  const excludedIds = await unpublishedWaiting(app);
  for (let attempt = 1; ; attempt += 1) {
    const result = await app.search.search({ ...query, excludedIds }, { timeoutMs: TIMEOUT_MS });
    const posts = await listPostsById(app, result.ids);
    const gone = result.ids.filter((id) => !posts.some((post) => post.id === id));
    if (gone.length === 0 || attempt === ATTEMPTS) return { result, posts };
    // The index has posts that are not public and no mark says so: they must not count either.
    excludedIds.push(...gone);
  }
}

/** Posts that left the public but may still stand in the index. */
async function unpublishedWaiting(app: Pick<App, 'db'>): Promise<string[]> {
  const rows = await app.db.$queryRaw<{ post_id: string }[]>`
    SELECT o.post_id FROM search_outbox o LEFT JOIN posts p ON p.id = o.post_id AND p.status = 'published'
    WHERE p.id IS NULL LIMIT ${WAITING_MAX + 1}`;
  if (rows.length > WAITING_MAX)
    throw new AppError('unavailable', 'Too many changes still wait for the search index.');
  return rows.map(({ post_id }) => post_id);
}

async function showHits(app: SearchApp, posts: PostSummary[], matched: MatchedWords): Promise<PostHit[]> {
  // By primary key alone: with the state in the condition SQLite walks through the index of states.
  const rows = await app.db.post.findMany({
    where: { id: { in: posts.map(({ id }) => id) } },
    select: { id: true, status: true, bodyHtml: true },
  });
  const published = rows.filter(({ status }) => status === isPublic.status);
  const bodies = new Map(published.map(({ id, bodyHtml }) => [id, bodyHtml]));
  return posts.map((post) => {
    const fromBody = snippet(textFromHtml(bodies.get(post.id) ?? ''), matched);
    const isInBody = fromBody.some(({ marked }) => marked);
    const shown = isInBody ? fromBody : snippet(post.excerpt, matched);
    return { post, title: highlight(post.title, matched), snippet: shown };
  });
}

async function named(
  facets: FacetCount[],
  read: (ids: string[]) => Promise<(Named & { id: string })[]>,
): Promise<Facet[]> {
  if (facets.length === 0) return [];
  const terms = new Map((await read(facets.map(({ id }) => id))).map((term) => [term.id, term]));
  return facets.flatMap(({ id, count }) => {
    const term = terms.get(id);
    return term ? [{ name: term.name, slug: term.slug, count }] : [];
  });
}
