import type BetterSqlite3 from 'better-sqlite3';
import { INDEX_NAME, nothingFound, type EngineQuery, type EngineResult, type FacetCount } from '../engine.ts';
import { replaceWords } from '../spelling.ts';
import { queryTerms, type QueryTerm } from '../words.ts';
import { yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { matchedWords, matchExpression, planTerms, type PlannedTerm } from './query-plan.ts';
import { rank, type Candidate } from './rank.ts';
import type { Vocabulary } from './vocabulary.server.ts';

// Title, excerpt, about, body.
const BM25 = 'bm25(published_posts_text, 24.0, 6.0, 8.0, 1.0)';
/** So many of the best by bm25 are put in their final order; those after them keep bm25's. */
const RANKED = 250;
/** Matches that are taken in one turn of the event loop, about 10 ms. */
const PORTION = 2_500;
const FACETS_MAX = 20;

/** Answers a query from the embedded index; `db` is in a read transaction. */
export async function searchIndex(
  db: BetterSqlite3.Database,
  vocabulary: Vocabulary,
  query: EngineQuery,
): Promise<EngineResult> {
  const terms = queryTerms(query.text);
  if (terms.length === 0) return nothingFound;
  const index = new Matches(db, query);
  let plan = planTerms(terms);
  let correctedText: string | null = null;
  let expression = matchExpression(plan, 'AND');
  if (!index.isMatched(expression)) {
    const corrections = await correctTerms(db, index, vocabulary, plan);
    plan = plan.map((term, at) => corrections.get(at) ?? term);
    if (corrections.size > 0) correctedText = correctedQuery(query.text, terms, corrections);
    expression = matchExpression(plan, 'AND');
    // No post has every word: better those that have some than none.
    if (!index.isMatched(expression)) expression = matchExpression(plan, 'OR');
  }
  const found = await index.collect(expression);
  if (found.total === 0) return nothingFound;
  const ordered = [
    ...rank(readCandidates(db, found.best.slice(0, RANKED)), plan).map(({ id }) => id),
    ...readIds(db, found.best.slice(RANKED)),
  ];
  return {
    ids: ordered.slice(query.offset, query.offset + query.limit),
    total: found.total,
    matched: matchedWords(plan),
    categories: found.categories,
    tags: found.tags,
    correctedText,
  };
}

/** Place of a term → what to ask instead, for the terms that the index does not have. */
async function correctTerms(
  db: BetterSqlite3.Database,
  index: Matches,
  vocabulary: Vocabulary,
  plan: PlannedTerm[],
): Promise<Map<number, PlannedTerm>> {
  const corrections = new Map<number, PlannedTerm>();
  for (const [at, term] of plan.entries()) {
    if (term.words.length > 1 || index.isKnown(matchExpression([term], 'AND'))) continue;
    const better = await vocabulary.correct(db, term.words[0]!, term.prefix);
    if (better) corrections.set(at, { words: [better.word], prefix: better.prefix });
  }
  return corrections;
}

function correctedQuery(text: string, terms: QueryTerm[], corrections: Map<number, PlannedTerm>): string {
  const replacements = [...corrections].map(([at, { words }]) => ({ ...terms[at]!, word: words[0]! }));
  return replaceWords(text, replacements).replace(/\s+/g, ' ').trim();
}

interface Collected {
  total: number;
  /** Numbers and scores of the best documents, best first. */
  best: { number: number; score: number }[];
  categories: FacetCount[];
  tags: FacetCount[];
}

/** The documents that match an expression and the query's filters. */
class Matches {
  readonly #db: BetterSqlite3.Database;
  readonly #query: EngineQuery;
  readonly #inCategory: Filter;
  readonly #withTag: Filter;
  readonly #notExcluded: Filter;

  constructor(db: BetterSqlite3.Database, query: EngineQuery) {
    this.#db = db;
    this.#query = query;
    this.#inCategory = categoryFilter(query);
    this.#withTag = tagFilter(query);
    this.#notExcluded = exclusionFilter(query);
  }

  /** Whether anything at all matches, filters included. */
  isMatched(expression: string): boolean {
    const { sql, values } = every([this.#notExcluded, this.#inCategory, this.#withTag]);
    return this.#db.prepare(`SELECT 1 ${FROM} AND ${sql} LIMIT 1`).get(expression, ...values) !== undefined;
  }

  /** Whether the index has the words, whatever the filters say. */
  isKnown(expression: string): boolean {
    return this.#db.prepare(`SELECT 1 ${FROM} LIMIT 1`).get(expression) !== undefined;
  }

  /**
   * Counts, facets and the best documents. One walk through the matches, since each statement with bm25 counts
   * its words in the whole index first; facets and filters follow in portions.
   */
  async collect(expression: string): Promise<Collected> {
    const best = new Best(Math.max(RANKED, this.#query.offset + this.#query.limit));
    const categories = new Map<string, number>();
    const tags = new Map<string, number>();
    let total = 0;
    const take = (portion: Match[]) => {
      const numbers = JSON.stringify(portion.map(([number]) => number));
      const accepted = this.#acceptedOf(portion, numbers);
      total += accepted.length;
      best.add(accepted);
      this.#addFacets(categories, numbers, 'm.category_id', '', this.#withTag);
      this.#addFacets(tags, numbers, 'g.tag_id', `JOIN ${TAGS} g ON g.number = m.number`, this.#inCategory);
    };
    const { sql, values } = this.#notExcluded;
    const rows = this.#db
      .prepare(`SELECT m.rowid, ${BM25} ${FROM} AND ${sql}`)
      .raw()
      .iterate(expression, ...values) as IterableIterator<Match>;
    let portion: Match[] = [];
    for (const row of rows) {
      if (portion.push(row) < PORTION) continue;
      take(portion);
      portion = [];
      await yieldToEventLoop();
    }
    take(portion);
    return { total, best: best.inOrder(), categories: mostFrequent(categories), tags: mostFrequent(tags) };
  }

  #acceptedOf(portion: Match[], numbers: string): Match[] {
    if (this.#query.categoryId === null && this.#query.tagId === null) return portion;
    const { sql, values } = every([this.#inCategory, this.#withTag]);
    const accepted = this.#db.prepare(`SELECT m.number ${FROM_NUMBERS} WHERE ${sql}`).pluck();
    const kept = new Set(accepted.all(numbers, ...values) as number[]);
    return portion.filter(([number]) => kept.has(number));
  }

  #addFacets(counts: Map<string, number>, numbers: string, id: string, join: string, filter: Filter): void {
    const rows = this.#db
      .prepare(`SELECT ${id}, count(*) ${FROM_NUMBERS} ${join} WHERE ${filter.sql} GROUP BY 1`)
      .raw()
      .all(numbers, ...filter.values) as [string, number][];
    for (const [facet, count] of rows) if (facet !== '') counts.set(facet, (counts.get(facet) ?? 0) + count);
  }
}

/** Number and score; the lower the score, the better. */
type Match = [number: number, score: number];

/** The best of any number of matches, equals in the order in which they came. */
class Best {
  readonly #keep: number;
  #matches: Match[] = [];
  #worst = Infinity;

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(matches: Match[]): void {
    for (const match of matches) if (match[1] < this.#worst) this.#matches.push(match);
    if (this.#matches.length >= 2 * this.#keep) this.#cut();
  }

  inOrder(): Collected['best'] {
    this.#cut();
    return this.#matches.map(([number, score]) => ({ number, score }));
  }

  #cut(): void {
    this.#matches = this.#matches.sort(([, a], [, b]) => a - b).slice(0, this.#keep);
    if (this.#matches.length === this.#keep) this.#worst = this.#matches.at(-1)![1];
  }
}

const TAGS = `${INDEX_NAME}_tags`;
const FROM = `FROM ${INDEX_NAME}_text m WHERE ${INDEX_NAME}_text MATCH ?`;
const FROM_NUMBERS = `FROM json_each(?) matched JOIN ${INDEX_NAME} m ON m.number = matched.value`;

/** A condition on `m.number` or `m.rowid`, which are the same. */
interface Filter {
  sql: string;
  values: string[];
}

const noFilter: Filter = { sql: 'true', values: [] };

function categoryFilter({ categoryId }: EngineQuery): Filter {
  if (categoryId === null) return noFilter;
  return { sql: `(SELECT category_id FROM ${INDEX_NAME} WHERE number = m.rowid) = ?`, values: [categoryId] };
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

function every(filters: Filter[]): Filter {
  return {
    sql: filters.map(({ sql }) => sql).join(' AND '),
    values: filters.flatMap(({ values }) => values),
  };
}

function mostFrequent(counts: Map<string, number>): FacetCount[] {
  return [...counts]
    .map(([id, count]) => ({ id, count }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
    .slice(0, FACETS_MAX);
}

function readCandidates(db: BetterSqlite3.Database, found: Collected['best']): Candidate[] {
  const read = db.prepare(
    `SELECT id, title, excerpt, category || char(10) || tags || char(10) || author AS about, published_at AS publishedAt
     FROM published_posts WHERE number = ?`,
  );
  return found.map((match) => ({
    ...match,
    ...(read.get(match.number) as Omit<Candidate, 'number' | 'score'>),
  }));
}

function readIds(db: BetterSqlite3.Database, found: Collected['best']): string[] {
  const read = db.prepare('SELECT id FROM published_posts WHERE number = ?').pluck();
  return found.map(({ number }) => read.get(number) as string);
}
