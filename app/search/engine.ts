/** The index that both engines hold: an alias in Typesense, a table in the embedded engine. */
export const INDEX_NAME = 'published_posts';

/** What the index holds of a published post (contract, section 5). */
export interface SearchDocument {
  id: string;
  slug: string;
  title: string;
  excerpt: string;
  /** Plain text. */
  body: string;
  /** The category's name; `''` for none. */
  category: string;
  /** Tag names in the post's order. */
  tags: string[];
  /** The author's display name. */
  author: string;
  /** Unix seconds. */
  publishedAt: number;
  /** Filters and facets use ids, because two terms may have one name. `''` for no category. */
  categoryId: string;
  tagIds: string[];
  /** Differs if any of the fields above does. */
  hash: string;
}

/** The fields of every document that a check compares. */
export type IndexEntry = Pick<SearchDocument, 'id' | 'slug' | 'hash'>;

/** The embedded engine counts matches up to this number, and the pages of results show no more. */
export const COUNTED_MAX = 1_000;

export interface EngineQuery {
  /** What the reader typed. */
  text: string;
  /** Only posts of this category. */
  categoryId: string | null;
  /** Only posts with this tag. */
  tagId: string | null;
  /** Posts to leave out of hits, counts and facets. */
  excludedIds: string[];
  offset: number;
  /** 1 to 100. */
  limit: number;
}

/** The words that a query matched, folded by `words.ts`. They are marked in the shown text. */
export interface MatchedWords {
  /** Whole words, corrections included. */
  words: string[];
  /** Words that begin with one of these match. */
  prefixes: string[];
}

export interface FacetCount {
  /** Of a category or a tag. */
  id: string;
  count: number;
}

export interface EngineResult {
  /** The posts of the page, best first; of equally good ones, the newest first. */
  ids: string[];
  /** Number of matching posts on all pages; at most `COUNTED_MAX` if the engine counts no further. */
  total: number;
  /** More posts match than `total`, and facets may have more posts than their counts. */
  isCut: boolean;
  matched: MatchedWords;
  /** The categories of all matches, regardless of a chosen category; most frequent first. */
  categories: FacetCount[];
  /** The tags of all matches, regardless of a chosen tag. */
  tags: FacetCount[];
  /** The text that was searched, if the engine corrected it. */
  correctedText: string | null;
}

/** A document that the engine refused because of its content. The others of its batch are in the index. */
export interface DocumentFailure {
  id: string;
  reason: string;
}

export interface CallOptions {
  /** Milliseconds after which the engine counts as down; each engine has a default of a few seconds. */
  timeoutMs?: number;
}

/** `missing`: no index exists yet. `unauthorized`: the key may not write. The others: writes fail, searches work. */
export type EngineHealth = 'ok' | 'missing' | 'unauthorized' | 'out_of_disk' | 'out_of_memory';

/** Identifies an index. */
export interface IndexState {
  /** Differs between engines, and between an index and its successor. */
  id: string;
  /** Null if the engine never loses a write, so that no comparison is needed. */
  documentCount: number | null;
}

/** A new index that is filled while the old one keeps answering. */
export interface IndexBuild {
  /** Adds whole documents. @throws when one is refused, the engine fails or another build took over. */
  add(documents: SearchDocument[]): Promise<void>;
  /** Completes the new index after the last `add`. @returns the number of its documents, as the engine counts them */
  finish(): Promise<number>;
  /** Replaces the old index by the new one in one step, and drops the old one. */
  swap(): Promise<void>;
  /** Drops the new index. */
  abandon(): Promise<void>;
}

/**
 * A full-text engine that holds the index `published_posts`. Every write is idempotent and visible to searches
 * when it returns. Calls throw an AppError `unavailable` with a reason for the operator when the engine is down,
 * hangs, is not ready or is out of resources, and `not_configured` when it refuses the key.
 */
export interface SearchEngine {
  /** The state of the index; null on an engine that is new or has lost its data. A light call. */
  describe(call?: CallOptions): Promise<IndexState | null>;
  /** Creates an empty index unless it exists. */
  createIndex(call?: CallOptions): Promise<void>;
  /** Adds or replaces documents. Returns those that it refused. @throws also without an index. */
  upsert(documents: SearchDocument[], call?: CallOptions): Promise<DocumentFailure[]>;
  /** Removes documents. Ignores unknown ids. @throws also without an index. */
  remove(ids: string[], call?: CallOptions): Promise<void>;
  /** A query without a letter or digit finds nothing. @throws also without an index. */
  search(query: EngineQuery, call?: CallOptions): Promise<EngineResult>;
  /**
   * A text that changes with every change of the index, read without waiting; null without an index. An engine lacks
   * this method if it would have to send a request. @throws when the index cannot be read now
   */
  indexVersion?(): string | null;
  /** Every document of the index, in no order; nothing without an index. */
  entries(): AsyncIterable<IndexEntry>;
  /** Begins a new index and drops abandoned ones. The caller holds the lease. */
  beginBuild(): Promise<IndexBuild>;
  /** The engine's health. @throws when it does not answer or is not ready. */
  health(call?: CallOptions): Promise<EngineHealth>;
  /** Closes files and connections. The engine is not used afterwards. */
  close(): Promise<void>;
}

export interface Searched {
  search: SearchEngine;
}

/** The result of a query that finds nothing. */
export const nothingFound: EngineResult = {
  ids: [],
  total: 0,
  isCut: false,
  matched: { words: [], prefixes: [] },
  categories: [],
  tags: [],
  correctedText: null,
};

/** A call of the search engine that has ended. */
export interface SearchCall {
  /** Name of the engine's method. */
  operation: string;
  seconds: number;
  failed: boolean;
}

/** The same engine. Measures its calls for readers and editors. */
export function timedEngine(engine: SearchEngine, onCall: (call: SearchCall) => void): SearchEngine {
  const timed =
    <Arguments extends unknown[], T>(operation: string, call: (...args: Arguments) => Promise<T>) =>
    async (...args: Arguments): Promise<T> => {
      const started = performance.now();
      let failed = true;
      try {
        const value = await call(...args);
        failed = false;
        return value;
      } finally {
        onCall({ operation, seconds: (performance.now() - started) / 1000, failed });
      }
    };
  return {
    ...engine,
    upsert: timed('upsert', (documents, call) => engine.upsert(documents, call)),
    remove: timed('remove', (ids, call) => engine.remove(ids, call)),
    search: timed('search', (query, call) => engine.search(query, call)),
  };
}
