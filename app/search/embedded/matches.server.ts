import type BetterSqlite3 from 'better-sqlite3';
import { COUNTED_MAX, INDEX_NAME, type EngineQuery, type FacetCount } from '../engine.ts';
import { yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import type { DocumentTerms, KnownTerms } from './document-terms.server.ts';
import { matchExpression, type PlannedTerm } from './query-plan.ts';

// The weights of title, excerpt, about and body.
const BM25 = 'bm25(published_posts_text, 24.0, 6.0, 8.0, 1.0)';
/**
 * The number of matches that get bm25's score, and of candidates that get their final order. Each statement with bm25
 * counts the words in the whole index and visits every match, which is expensive for thousands of matches.
 */
export const RANKED_MAX = 150;
/** Documents that one statement visits in some milliseconds. The newest posts have the highest numbers. */
const ROWS_AT_ONCE = 10_000;
const FACETS_MAX = 20;

export interface Collected {
  /** Numbers of the documents that match, after the filters. If there are too many, those of the newest ones. */
  accepted: number[];
  /** Number of documents that match before the filters. */
  matches: number;
  /** More documents match than were counted. */
  isCut: boolean;
  categories: FacetCount[];
  tags: FacetCount[];
}

/** The documents that match an expression and the query's filters. */
export class Matches {
  readonly #db: BetterSqlite3.Database;
  readonly #terms: KnownTerms;
  readonly #inCategory: Filter;
  readonly #withTag: Filter;
  readonly #notExcluded: Filter;
  readonly #last: number;

  constructor(db: BetterSqlite3.Database, terms: KnownTerms, query: EngineQuery) {
    this.#db = db;
    this.#terms = terms;
    this.#inCategory = categoryFilter(query);
    this.#withTag = tagFilter(query);
    this.#notExcluded = exclusionFilter(query);
    this.#last = (db.prepare(`SELECT max(number) FROM ${INDEX_NAME}`).pluck().get() as number | null) ?? 0;
  }

  /** Whether the index has the words, regardless of the filters. */
  isKnown(expression: string): boolean {
    return this.#db.prepare(`SELECT 1 ${FROM} LIMIT 1`).get(expression) !== undefined;
  }

  /** Counts, facets and documents. Exact up to a number of matches; beyond it, those of the newest documents. */
  async collect(expression: string): Promise<Collected> {
    const [accepted, inCategory, withTag]: [number[], number[], number[]] = [[], [], []];
    let matches = 0;
    const isFull = (numbers: number[]) => numbers.length > COUNTED_MAX;
    for await (const numbers of this.#newestFirst(expression)) {
      matches += numbers.length;
      const [category, tag] = [
        this.#accepted(numbers, this.#inCategory),
        this.#accepted(numbers, this.#withTag),
      ];
      const isTagged = new Set(tag);
      inCategory.push(...category);
      withTag.push(...tag);
      accepted.push(...category.filter((number) => isTagged.has(number)));
      if (isFull(accepted) && isFull(inCategory) && isFull(withTag)) break;
    }
    const counted = (numbers: number[]) => numbers.slice(0, COUNTED_MAX);
    return {
      accepted: counted(accepted),
      matches,
      isCut: isFull(accepted),
      categories: facets(this.#termsOf(counted(withTag)).map(({ categoryId }) => [categoryId])),
      tags: facets(this.#termsOf(counted(inCategory)).map(({ tagIds }) => tagIds)),
    };
  }

  /** Every match with its score by bm25. */
  scores(expression: string): Match[] {
    const { sql, values } = this.#notExcluded;
    const rows = this.#db.prepare(`SELECT m.rowid, ${BM25} ${FROM} AND ${sql}`).raw();
    return rows.all(expression, ...values) as Match[];
  }

  /**
   * The candidates when there are too many matches for scores: first those with the words in the title, then in what
   * readers see at once, then the newest.
   */
  async likelyBest(plan: PlannedTerm[], operator: 'AND' | 'OR', found: Collected): Promise<number[]> {
    const whole = matchExpression(plan, operator);
    const partly = `{title} : (${matchExpression(plan, 'OR')}) AND (${whole})`;
    const expressions = [
      `{title} : (${whole})`,
      ...(plan.length > 1 ? [partly] : []),
      `{title excerpt about} : (${whole})`,
    ];
    // If the counting ended early, the accepted documents are not complete, so the filters are asked.
    const complete = found.isCut ? null : new Set(found.accepted);
    const accept = (numbers: number[]) =>
      complete
        ? numbers.filter((number) => complete.has(number))
        : this.#accepted(this.#accepted(numbers, this.#inCategory), this.#withTag);
    const best = new Set<number>();
    for (const expression of expressions) {
      // Each expression gets a share, so that matches in titles leave room for the others.
      const enough = Math.min(RANKED_MAX, best.size + RANKED_MAX / 2);
      for await (const numbers of this.#newestFirst(expression, enough)) {
        for (const number of accept(numbers)) if (best.size < enough) best.add(number);
        if (best.size >= enough) break;
      }
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
    const documents = this.#db.prepare(`SELECT doc FROM ${INDEX_NAME}_counts WHERE term = ?`).pluck();
    return ((documents.get(term.words[0]) as number | undefined) ?? 0) > COUNTED_MAX
      ? { ...term, prefix: false }
      : term;
  }

  /**
   * Numbers of all matches that are not excluded, the newest first, in portions. Yields to the event loop between them.
   * There are few portions, because each statement gathers the words with a typed beginning again, which can cost more
   * than passing over many documents.
   */
  async *#newestFirst(expression: string, enough = COUNTED_MAX): AsyncGenerator<number[]> {
    const { sql, values } = this.#notExcluded;
    const read = this.#db
      .prepare(
        `SELECT m.rowid ${FROM} AND m.rowid > ? AND m.rowid <= ? AND ${sql} ORDER BY m.rowid DESC LIMIT ?`,
      )
      .pluck();
    for (let end = this.#last; end > 0;) {
      const begin = Math.max(0, end - ROWS_AT_ONCE);
      const numbers = read.all(expression, begin, end, ...values, enough + 1) as number[];
      yield numbers;
      end = numbers.length > enough ? numbers.at(-1)! - 1 : begin;
      if (end > 0) await yieldToEventLoop();
    }
  }

  #accepted(numbers: number[], filter: Filter): number[] {
    if (filter === noFilter || numbers.length === 0) return numbers;
    const accepted = this.#db.prepare(`SELECT m.number ${FROM_NUMBERS} WHERE ${filter.sql}`).pluck();
    const acceptedNumbers = new Set(accepted.all(JSON.stringify(numbers), ...filter.values) as number[]);
    return numbers.filter((number) => acceptedNumbers.has(number));
  }

  #termsOf(numbers: number[]): DocumentTerms[] {
    return this.#terms.read(this.#db, numbers);
  }
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

const CATEGORIES = `${INDEX_NAME}_categories`;
const TAGS = `${INDEX_NAME}_tags`;
const FROM = `FROM ${INDEX_NAME}_text m WHERE ${INDEX_NAME}_text MATCH ?`;
const FROM_NUMBERS = `FROM json_each(?) matched JOIN ${CATEGORIES} m ON m.number = matched.value`;

/** A condition on the `m.rowid` of a document, which is its number. */
interface Filter {
  sql: string;
  values: string[];
}

const noFilter: Filter = { sql: 'true', values: [] };

function categoryFilter({ categoryId }: EngineQuery): Filter {
  if (categoryId === null) return noFilter;
  return { sql: 'm.category_id = ?', values: [categoryId] };
}

function tagFilter({ tagId }: EngineQuery): Filter {
  if (tagId === null) return noFilter;
  return { sql: `EXISTS (SELECT 1 FROM ${TAGS} WHERE number = m.rowid AND tag_id = ?)`, values: [tagId] };
}

function exclusionFilter({ excludedIds }: EngineQuery): Filter {
  if (excludedIds.length === 0) return noFilter;
  return {
    sql: `m.rowid NOT IN (SELECT number FROM ${INDEX_NAME} WHERE id IN (SELECT value FROM json_each(?)))`,
    values: [JSON.stringify(excludedIds)],
  };
}
