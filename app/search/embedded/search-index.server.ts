import type BetterSqlite3 from 'better-sqlite3';
import { nothingFound, type EngineQuery, type EngineResult, type FacetCount } from '../engine.ts';
import { replaceWords } from '../spelling.ts';
import { queryTerms, type QueryTerm } from '../words.ts';
import { breathe } from './search-file.server.ts';
import { matchedWords, matchExpression, planTerms, type PlannedTerm } from './query-plan.ts';
import { rank, type Candidate } from './rank.ts';
import type { Vocabulary } from './vocabulary.server.ts';

// Title, excerpt, about, body.
const BM25 = 'bm25(published_posts_text, 24.0, 6.0, 8.0, 1.0)';
/** So many of the best by bm25 are put in their final order; those after them keep bm25's. */
const RANKED = 250;
/** Rows of the index that one statement looks at, so that a turn of the event loop stays short. */
const WINDOW = 10_000;
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
  readonly #conditions: { all: Filter; categories: Filter; tags: Filter };

  constructor(db: BetterSqlite3.Database, query: EngineQuery) {
    this.#db = db;
    this.#query = query;
    this.#conditions = {
      all: filterOf(query),
      categories: filterOf({ ...query, categoryId: null }),
      tags: filterOf({ ...query, tagId: null }),
    };
  }

  /** Whether anything at all matches, filters included. */
  isMatched(expression: string): boolean {
    const { sql, values } = this.#conditions.all;
    return this.#db.prepare(`SELECT 1 ${FROM} WHERE ${sql} LIMIT 1`).get(expression, ...values) !== undefined;
  }

  /** Whether the index has the words, whatever the filters say. */
  isKnown(expression: string): boolean {
    return this.#db.prepare(`SELECT 1 ${FROM} WHERE ${MATCH} LIMIT 1`).get(expression) !== undefined;
  }

  /** Counts, facets and the best documents, window by window. */
  async collect(expression: string): Promise<Collected> {
    const keep = Math.max(RANKED, this.#query.offset + this.#query.limit);
    const last = (this.#db.prepare('SELECT max(number) FROM published_posts').pluck().get() as number) ?? 0;
    const categories = new Map<string, number>();
    const tags = new Map<string, number>();
    let best: Collected['best'] = [];
    let total = 0;
    for (let from = 0; from <= last; from += WINDOW) {
      if (from > 0) await breathe();
      const window = [from, from + WINDOW - 1];
      const inWindow = this.#best(expression, window, keep);
      total += inWindow.length < keep ? inWindow.length : this.#count(expression, window);
      best = from === 0 ? inWindow : [...best, ...inWindow].sort((a, b) => a.score - b.score).slice(0, keep);
      this.#addFacets(categories, expression, window, 'categories');
      this.#addFacets(tags, expression, window, 'tags');
    }
    return { total, best, categories: mostFrequent(categories), tags: mostFrequent(tags) };
  }

  #best(expression: string, window: number[], keep: number): Collected['best'] {
    const { sql, values } = this.#conditions.all;
    return this.#db
      .prepare(
        `SELECT published_posts_text.rowid AS number, ${BM25} AS score ${FROM}
         WHERE ${sql} AND ${IN_WINDOW} ORDER BY score LIMIT ?`,
      )
      .all(expression, ...values, ...window, keep) as Collected['best'];
  }

  #count(expression: string, window: number[]): number {
    const { sql, values } = this.#conditions.all;
    return this.#db
      .prepare(`SELECT count(*) ${FROM} WHERE ${sql} AND ${IN_WINDOW}`)
      .pluck()
      .get(expression, ...values, ...window) as number;
  }

  #addFacets(
    counts: Map<string, number>,
    expression: string,
    window: number[],
    kind: 'categories' | 'tags',
  ): void {
    const { sql, values } = this.#conditions[kind];
    const [id, join] =
      kind === 'categories'
        ? ['p.category_id', 'JOIN published_posts p ON p.number = published_posts_text.rowid']
        : ['g.tag_id', 'JOIN published_posts_tags g ON g.number = published_posts_text.rowid'];
    const rows = this.#db
      .prepare(`SELECT ${id}, count(*) ${FROM} ${join} WHERE ${sql} AND ${IN_WINDOW} GROUP BY 1`)
      .raw()
      .all(expression, ...values, ...window) as [string, number][];
    for (const [facet, count] of rows) if (facet !== '') counts.set(facet, (counts.get(facet) ?? 0) + count);
  }
}

const FROM = 'FROM published_posts_text';
const MATCH = 'published_posts_text MATCH ?';
const IN_WINDOW = 'published_posts_text.rowid BETWEEN ? AND ?';

interface Filter {
  sql: string;
  values: string[];
}

function filterOf({ categoryId, tagId, excludedIds }: EngineQuery): Filter {
  const number = 'published_posts_text.rowid';
  const parts = [MATCH];
  const values: string[] = [];
  if (categoryId !== null) {
    parts.push(`(SELECT category_id FROM published_posts WHERE number = ${number}) = ?`);
    values.push(categoryId);
  }
  if (tagId !== null) {
    parts.push(`EXISTS (SELECT 1 FROM published_posts_tags WHERE number = ${number} AND tag_id = ?)`);
    values.push(tagId);
  }
  if (excludedIds.length > 0) {
    parts.push(
      `${number} NOT IN (SELECT number FROM published_posts WHERE id IN (SELECT value FROM json_each(?)))`,
    );
    values.push(JSON.stringify(excludedIds));
  }
  return { sql: parts.join(' AND '), values };
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
