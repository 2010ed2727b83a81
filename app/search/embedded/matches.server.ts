import type BetterSqlite3 from 'better-sqlite3';
import { yieldAfterLongWork } from '#app/platform/jobs/event-loop.server.ts';
import { COUNTED_MAX, INDEX_NAME, type EngineQuery, type FacetCount } from '#app/search/engine.ts';
import { markOf, matchExpression, titleExpression, type PlannedTerm } from './query.ts';
import { isSameTableSet, tableSetOf, type TableSet } from './tables.server.ts';

// The weights of title, excerpt, about, body and marks.
const BM25 = 'bm25(published_posts_text, 24.0, 6.0, 8.0, 1.0, 0.0)';
/**
 * The number of matches that get bm25's score, and of candidates that get their final order. Each statement with bm25
 * counts the words in the whole index and visits every match, which is expensive for thousands of matches.
 */
const RANKED_MAX = 150;
/** Documents that one statement visits in some milliseconds. The newest posts have the highest numbers. */
const ROWS_AT_ONCE = 10_000;
const FACETS_MAX = 20;

export interface Collected {
  /** Numbers of the documents that match, after the filters. If there are too many, those of the newest ones. */
  accepted: number[];
  /** More documents match than were counted. */
  isCut: boolean;
  /** The oldest document of the newest that have the words, with or without the filters; 0 if those are all. */
  oldest: number;
  categories: FacetCount[];
  tags: FacetCount[];
}

/** The documents that match an expression and the query's filters. */
export class Matches {
  readonly #db: BetterSqlite3.Database;
  readonly #terms: KnownTerms;
  readonly #inCategory: string | null;
  readonly #withTag: string | null;
  readonly #notExcluded: Condition;
  readonly #last: number;

  constructor(db: BetterSqlite3.Database, terms: KnownTerms, query: EngineQuery) {
    const { categoryId, tagId } = query;
    this.#db = db;
    this.#terms = terms;
    this.#inCategory = categoryId === null ? null : `"${markOf('category', categoryId)}"`;
    this.#withTag = tagId === null ? null : `"${markOf('tag', tagId)}"`;
    this.#notExcluded = exclusionOf(query);
    this.#last = (db.prepare(`SELECT max(number) FROM ${INDEX_NAME}`).pluck().get() as number | null) ?? 0;
  }

  /** Whether the index has the words, regardless of the filters. */
  isKnown(expression: string): boolean {
    return this.#db.prepare(`SELECT 1 ${FROM} LIMIT 1`).get(expression) !== undefined;
  }

  /** Counts, facets and documents. Exact up to a number of matches; beyond it, those of the newest documents. */
  async collect(expression: string): Promise<Collected> {
    const [category, tag] = [this.#inCategory, this.#withTag];
    const accepted = await this.#newest(allOf(expression, category, tag));
    // Readers may choose another category or tag, so each is counted without itself.
    const withTag = category === null ? accepted : await this.#newest(allOf(expression, tag));
    const inCategory = tag === null ? accepted : await this.#newest(allOf(expression, category));
    const counted = (numbers: number[]) => numbers.slice(0, COUNTED_MAX);
    const cut = [accepted, withTag, inCategory].filter((numbers) => numbers.length > COUNTED_MAX);
    return {
      accepted: counted(accepted),
      isCut: accepted.length > COUNTED_MAX,
      oldest: Math.max(0, ...cut.map((numbers) => numbers.at(-1)!)),
      categories: facets(this.#termsOf(counted(withTag)).map(({ categoryId }) => [categoryId])),
      tags: facets(this.#termsOf(counted(inCategory)).map(({ tagIds }) => tagIds)),
    };
  }

  /**
   * Every match of few with its score by bm25, regardless of the filters. Null if there are many, or if a term has many
   * documents: bm25 visits them all.
   */
  async scores(plan: PlannedTerm[], operator: 'AND' | 'OR'): Promise<Match[] | null> {
    const expression = matchExpression(plan, operator);
    if ((await this.#newest(expression, { enough: RANKED_MAX })).length > RANKED_MAX) return null;
    if (plan.some((term) => this.#isCommon(matchExpression([term], 'AND')))) return null;
    const { sql, values } = this.#notExcluded;
    const rows = this.#db.prepare(`SELECT m.rowid, ${BM25} ${FROM} AND ${sql}`).raw();
    return rows.all(expression, ...values) as Match[];
  }

  /**
   * The candidates when there are too many matches for scores: first those with the words in the title, then, among the
   * newest, those with the words in what readers see at once.
   */
  async likelyBest(plan: PlannedTerm[], operator: 'AND' | 'OR', found: Collected): Promise<number[]> {
    const whole = matchExpression(plan, operator);
    const { oldest } = found;
    const searches: [expression: string, newerThan: number][] = [
      [titleExpression(plan, operator), 0],
      ...(plan.length > 1 ? [[allOf(titleExpression(plan, 'OR'), whole), oldest] as [string, number]] : []),
      [`{title excerpt about} : (${whole})`, oldest],
    ];
    const best = new Set<number>();
    for (const [expression, newerThan] of searches) {
      // Each expression gets a share, so that matches in titles leave room for the others.
      const enough = Math.min(RANKED_MAX, best.size + RANKED_MAX / 2);
      const filtered = allOf(expression, this.#inCategory, this.#withTag);
      for (const number of await this.#newest(filtered, { enough, newerThan }))
        if (best.size < enough) best.add(number);
    }
    for (const number of found.accepted) if (best.size < RANKED_MAX) best.add(number);
    return [...best];
  }

  /**
   * Drops the longer words that begin with a word, if the word alone has more posts than are counted. Gathering longer
   * words from the index costs most of a query.
   */
  withoutNeedlessPrefix(term: PlannedTerm): PlannedTerm {
    if (!term.prefix || term.words.length > 1) return term;
    const whole = { ...term, prefix: false };
    return this.#isCommon(matchExpression([whole], 'AND')) ? whole : term;
  }

  /** Whether more documents match than are counted. */
  #isCommon(expression: string): boolean {
    const next = this.#db.prepare(`SELECT 1 ${FROM} LIMIT 1 OFFSET ${COUNTED_MAX}`);
    return next.get(expression) !== undefined;
  }

  /**
   * Numbers of the newest matches that are not excluded, one more than `enough` if there are that many. Yields to the
   * event loop between portions. There are few portions, because each statement gathers the words with a typed beginning
   * again, which can cost more than passing over many documents.
   */
  async #newest(expression: string, { enough = COUNTED_MAX, newerThan = 0 } = {}): Promise<number[]> {
    const { sql, values } = this.#notExcluded;
    const read = this.#db
      .prepare(
        `SELECT m.rowid ${FROM} AND m.rowid >= ? AND m.rowid <= ? AND ${sql} ORDER BY m.rowid DESC LIMIT ?`,
      )
      .pluck();
    const numbers: number[] = [];
    for (let end = this.#last; end > 0 && end >= newerThan; end -= ROWS_AT_ONCE) {
      await yieldAfterLongWork();
      const begin = Math.max(newerThan, end - ROWS_AT_ONCE + 1);
      const missing = enough + 1 - numbers.length;
      numbers.push(...(read.all(expression, begin, end, ...values, missing) as number[]));
      if (numbers.length > enough) break;
    }
    return numbers;
  }

  #termsOf(numbers: number[]): DocumentTerms[] {
    return this.#terms.read(this.#db, numbers);
  }
}

/** An expression for what matches all of these. Null matches everything. */
function allOf(...expressions: (string | null)[]): string {
  return expressions
    .filter((expression) => expression !== null)
    .map((expression) => `(${expression})`)
    .join(' AND ');
}

/** The most frequent ids. @param ofDocuments ids of each document; `''` for none */
function facets(ofDocuments: (readonly string[])[]): FacetCount[] {
  const counts = new Map<string, number>();
  for (const ids of ofDocuments) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  counts.delete('');
  return [...counts]
    .map(([id, count]) => ({ id, count }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
    .slice(0, FACETS_MAX);
}

/** Number and score; the lower the score, the better. */
export type Match = [number: number, score: number];

const FROM = `FROM ${INDEX_NAME}_text m WHERE ${INDEX_NAME}_text MATCH ?`;

/** A condition on the `m.rowid` of a document, which is its number. */
interface Condition {
  sql: string;
  values: string[];
}

function exclusionOf({ excludedIds }: EngineQuery): Condition {
  if (excludedIds.length === 0) return { sql: 'true', values: [] };
  return {
    sql: `m.rowid NOT IN (SELECT number FROM ${INDEX_NAME} WHERE id IN (SELECT value FROM json_each(?)))`,
    values: [JSON.stringify(excludedIds)],
  };
}

/** About 2 MB: ten times the number of documents whose terms one search counts. */
const KNOWN_MAX = 10_000;

/** The category and tags of a document. */
interface DocumentTerms {
  number: number;
  /** `''` for none. */
  categoryId: string;
  tagIds: readonly string[];
}

/**
 * Keeps the terms of documents in memory until the index changes. Nearly all searches count the terms of the same
 * newest posts, and reading them with SQLite took a tenth of a search.
 */
export class KnownTerms {
  #known = new Map<number, DocumentTerms>();
  /** Documents with the same tags share one list. */
  #tags = new Map<string, readonly string[]>();
  #tableSet: TableSet | undefined;
  #commit: unknown;

  /** The terms of documents, in the order of the numbers. `db` is in a read transaction. */
  read(db: BetterSqlite3.Database, numbers: number[]): DocumentTerms[] {
    this.#forgetChanged(db);
    const missing = numbers.filter((number) => !this.#known.has(number));
    if (missing.length > 0) {
      if (this.#known.size + missing.length > KNOWN_MAX) this.#forget();
      const needed = this.#known.size === 0 ? numbers : missing;
      const rows = JSON.parse(statement(db).get(JSON.stringify(needed)) as string) as Row[];
      for (const [number, categoryId, tagIds] of rows)
        this.#known.set(number, { number, categoryId, tagIds: this.#shared(tagIds) });
    }
    return numbers.map((number) => this.#known.get(number)!);
  }

  #forgetChanged(db: BetterSqlite3.Database): void {
    const tableSet = tableSetOf(db);
    // Changes with every commit of another connection. This one never writes.
    const commit = db.pragma('data_version', { simple: true });
    if (!isSameTableSet(tableSet, this.#tableSet) || commit !== this.#commit) this.#forget();
    this.#tableSet = tableSet;
    this.#commit = commit;
  }

  #forget(): void {
    this.#known = new Map();
    this.#tags = new Map();
  }

  #shared(tagIds: string[]): readonly string[] {
    const key = tagIds.join(' ');
    const shared = this.#tags.get(key);
    if (!shared) this.#tags.set(key, tagIds);
    return shared ?? tagIds;
  }
}

type Row = [number: number, categoryId: string, tagIds: string[]];

// One JSON text, because reading thousands of rows would take several times as long.
function statement(db: BetterSqlite3.Database): BetterSqlite3.Statement {
  return db
    .prepare(
      `SELECT json_group_array(json_array(m.number, m.category_id,
         (SELECT json_group_array(tag_id) FROM ${INDEX_NAME}_tags WHERE number = m.number)))
       FROM json_each(?) matched JOIN ${INDEX_NAME}_categories m ON m.number = matched.value`,
    )
    .pluck();
}
