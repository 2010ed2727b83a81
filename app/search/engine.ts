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
  /** The category's name, `''` without one. */
  category: string;
  /** Tag names in the post's order. */
  tags: string[];
  /** The author's display name. */
  author: string;
  /** Unix seconds. */
  publishedAt: number;
  /** Filters and facets go by id, since two terms may have one name. `''` without a category. */
  categoryId: string;
  tagIds: string[];
  /** Differs when any of the above does. */
  hash: string;
}

/** What a check compares of every document. */
export type IndexEntry = Pick<SearchDocument, 'id' | 'slug' | 'hash'>;

/** The embedded engine stops counting there, and the last page ends there. */
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

/** The folded words (`words.ts`) that a query found, for marking them in a text. */
export interface MatchedWords {
  /** Whole words, corrections included. */
  words: string[];
  /** Beginnings of words. */
  prefixes: string[];
}

export interface FacetCount {
  /** Of a category or a tag. */
  id: string;
  count: number;
}

export interface EngineResult {
  /** The posts of the page, best first; equals are ordered newest first. */
  ids: string[];
  /** Matching posts on all pages; at most `COUNTED_MAX` where an engine counts no further. */
  total: number;
  /** There are more than `total`, and facets may have more than their counts. */
  isCut: boolean;
  matched: MatchedWords;
  /** The categories of all matches, regardless of a chosen category; most frequent first. */
  categories: FacetCount[];
  /** The tags of all matches, regardless of a chosen tag. */
  tags: FacetCount[];
  /** What was searched instead of the text where the engine corrected it. */
  correctedText: string | null;
}

/** A document that the engine refused for what is in it, alone among its batch. */
export interface DocumentFailure {
  id: string;
  reason: string;
}

export interface CallOptions {
  /** Milliseconds after which the engine counts as down; each engine has a default of a few seconds. */
  timeoutMs?: number;
}

/** `missing`: there is no index yet. `unauthorized`: the key may not write. The others: writes fail, searches work. */
export type EngineHealth = 'ok' | 'missing' | 'unauthorized' | 'out_of_disk' | 'out_of_memory';

/** Identifies an index. */
export interface IndexState {
  /** Differs between engines, and between an index and its successor. */
  id: string;
  /** Null where the engine never loses a write, so that no comparison is needed. */
  documentCount: number | null;
}

/** A new index that fills beside the old one, which keeps answering. */
export interface IndexBuild {
  /** Adds whole documents. @throws when one is refused, the engine fails or another build took over. */
  add(documents: SearchDocument[]): Promise<void>;
  /** Completes it after the last `add`. @returns how many documents it holds, as the engine counts them */
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
  /** The index `published_posts`; null on an engine that is new or has lost its data. A light call. */
  describe(call?: CallOptions): Promise<IndexState | null>;
  /** Makes an empty `published_posts` where there is none. */
  createIndex(call?: CallOptions): Promise<void>;
  /** Adds or replaces documents; answers with those that it refused. @throws also without an index. */
  upsert(documents: SearchDocument[], call?: CallOptions): Promise<DocumentFailure[]>;
  /** Removes documents; unknown ids are no failure. @throws also without an index. */
  remove(ids: string[], call?: CallOptions): Promise<void>;
  /** A query without a letter or digit finds nothing. @throws also without an index. */
  search(query: EngineQuery, call?: CallOptions): Promise<EngineResult>;
  /**
   * Another text after every change of the index, in this process; null without one, absent where only asking would tell.
   * It waits for nobody. @throws when the index cannot be read now
   */
  indexVersion?(): string | null;
  /** Every document of the index, in no order; nothing without an index. */
  entries(): AsyncIterable<IndexEntry>;
  /** Begins a new index and drops abandoned ones. The caller holds the lease. */
  beginBuild(): Promise<IndexBuild>;
  /** The engine's health. @throws where it does not answer or is not ready. */
  health(call?: CallOptions): Promise<EngineHealth>;
  /** Gives back files and connections; the engine is not used afterwards. */
  close(): Promise<void>;
}

/** A page of a query that finds nothing. */
export const nothingFound: EngineResult = {
  ids: [],
  total: 0,
  isCut: false,
  matched: { words: [], prefixes: [] },
  categories: [],
  tags: [],
  correctedText: null,
};
