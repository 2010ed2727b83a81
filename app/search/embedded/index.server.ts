import type BetterSqlite3 from 'better-sqlite3';
import { COUNTED_MAX, nothingFound, type EngineQuery, type EngineResult } from '#app/search/engine.ts';
import { replaceWords, queryTerms, type QueryTerm } from '#app/search/words.ts';
import { type KnownTerms, Matches, type Collected, type Match } from './matches.server.ts';
import { matchedWords, matchExpression, planTerms, type PlannedTerm, rank, type Candidate } from './query.ts';
import type { Vocabulary } from './vocabulary.server.ts';

/** Data of the index that a process caches between searches. */
export interface IndexMemory {
  vocabulary: Vocabulary;
  terms: KnownTerms;
}

/** Answers a query from the embedded index; `db` is in a read transaction. */
export async function searchIndex(
  db: BetterSqlite3.Database,
  { vocabulary, terms: knownTerms }: IndexMemory,
  query: EngineQuery,
): Promise<EngineResult> {
  const terms = queryTerms(query.text);
  if (terms.length === 0) return nothingFound;
  const index = new Matches(db, knownTerms, query);
  let plan = planTerms(terms).map((term) => index.withoutNeedlessPrefix(term));
  let correctedText: string | null = null;
  let operator: 'AND' | 'OR' = 'AND';
  let matches = await index.collect(matchExpression(plan, operator));
  if (matches.accepted.length === 0) {
    const corrections = await correctTerms(db, index, vocabulary, plan);
    plan = plan.map((term, at) => corrections.get(at) ?? term);
    if (corrections.size > 0) {
      correctedText = correctedQuery(query.text, terms, corrections);
      matches = await index.collect(matchExpression(plan, operator));
    }
    // No post has every word, so posts with some of them are found.
    if (matches.accepted.length === 0) {
      operator = 'OR';
      matches = await index.collect(matchExpression(plan, operator));
    }
  }
  if (matches.accepted.length === 0) return nothingFound;
  const numbers = await inOrder(db, index, { plan, operator, matches });
  const { isCut } = matches;
  return {
    ids: readIds(db, numbers.slice(query.offset, query.offset + query.limit)),
    total: numbers.length,
    isCut,
    matched: matchedWords(plan),
    categories: matches.categories,
    tags: matches.tags,
    correctedText,
  };
}

/** The numbers of the matches, best first. */
async function inOrder(
  db: BetterSqlite3.Database,
  index: Matches,
  { plan, operator, matches }: { plan: PlannedTerm[]; operator: 'AND' | 'OR'; matches: Collected },
): Promise<number[]> {
  const accepted = new Set(matches.accepted);
  const scores = await index.scores(plan, operator);
  const candidates =
    scores?.filter(([number]) => accepted.has(number)) ??
    (await index.likelyBest(plan, operator, matches)).map((number): Match => [number, 0]);
  const ranked = rank(readCandidates(db, candidates), plan).map(({ number }) => number);
  const isRanked = new Set(ranked);
  return [...ranked, ...matches.accepted.filter((number) => !isRanked.has(number))].slice(0, COUNTED_MAX);
}

/** Corrections for the terms that the index does not have, by their position in the plan. */
async function correctTerms(
  db: BetterSqlite3.Database,
  index: Matches,
  vocabulary: Vocabulary,
  plan: PlannedTerm[],
): Promise<Map<number, PlannedTerm>> {
  const corrections = new Map<number, PlannedTerm>();
  for (const [at, term] of plan.entries()) {
    if (term.words.length > 1 || index.isKnown(matchExpression([term], 'AND'))) continue;
    const better = await vocabulary.correct(db, { word: term.words[0]!, prefix: term.prefix });
    if (better) corrections.set(at, { words: [better.word], prefix: better.prefix });
  }
  return corrections;
}

function correctedQuery(text: string, terms: QueryTerm[], corrections: Map<number, PlannedTerm>): string {
  const replacements = [...corrections].map(([at, { words }]) => ({ ...terms[at]!, word: words[0]! }));
  return replaceWords(text, replacements).replace(/\s+/g, ' ').trim();
}

function readCandidates(db: BetterSqlite3.Database, matches: Match[]): Candidate[] {
  const scores = new Map(matches);
  const read = db.prepare(
    `SELECT number, m.id, title, excerpt, category || char(10) || tags || char(10) || author AS about,
       publishedAt
     FROM json_each(?) matched JOIN published_posts m ON m.number = matched.value`,
  );
  const rows = read.all(JSON.stringify([...scores.keys()])) as Omit<Candidate, 'score'>[];
  return rows.map((row) => ({ ...row, score: scores.get(row.number)! }));
}

function readIds(db: BetterSqlite3.Database, numbers: number[]): string[] {
  const read = db.prepare('SELECT id FROM published_posts WHERE number = ?').pluck();
  return numbers.map((number) => read.get(number) as string);
}
