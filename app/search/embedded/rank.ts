import { wordsOf } from '../words.ts';
import type { PlannedTerm } from './query-plan.ts';

/** A match as FTS5 found it, with the parts that readers see at once. */
export interface Candidate {
  number: number;
  id: string;
  title: string;
  excerpt: string;
  /** Category, tags and author. */
  about: string;
  /** Unix seconds. */
  publishedAt: number;
  /** FTS5's bm25: the lower the better. */
  score: number;
}

// A word in the title counts more than all that the fields after it can add up to.
const WEIGHTS = { title: 10, about: 6, excerpt: 5, body: 1 };
/** A whole word before one that merely begins so. */
const BEGINNING = 0.85;
const SIDE_BY_SIDE = 4;
const WHOLE_TITLE = 4;
/** bm25 decides among bodies in this many steps; what is equal by then is ordered by date. */
const BODY_STEPS = 2;

/**
 * Orders candidates: by where the words stand (title, topics, excerpt, body), whether they are whole and side
 * by side, then by bm25 in coarse steps, and newest first among equals.
 */
export function rank(candidates: Candidate[], plan: PlannedTerm[]): Candidate[] {
  const best = Math.min(...candidates.map(({ score }) => score));
  const ranked = candidates.map((candidate) => ({ candidate, points: pointsOf(candidate, plan, best) }));
  ranked.sort(
    (a, b) =>
      b.points - a.points ||
      b.candidate.publishedAt - a.candidate.publishedAt ||
      (a.candidate.id < b.candidate.id ? 1 : -1),
  );
  return ranked.map(({ candidate }) => candidate);
}

function pointsOf(candidate: Candidate, plan: PlannedTerm[], bestScore: number): number {
  const title = fieldWords(candidate.title);
  const about = fieldWords(candidate.about);
  const excerpt = fieldWords(candidate.excerpt);
  let points = 0;
  for (const term of plan) {
    points += Math.max(
      WEIGHTS.title * presence(title, term),
      WEIGHTS.about * presence(about, term),
      WEIGHTS.excerpt * presence(excerpt, term),
      WEIGHTS.body,
    );
  }
  const phrase = plan.flatMap(({ words }) => words);
  const place = positionOf(title, phrase, plan.at(-1)?.prefix ?? false);
  if (place >= 0 && phrase.length > 1) points += SIDE_BY_SIDE;
  if (place === 0 && title.length === phrase.length) points += WHOLE_TITLE;
  const share = bestScore < 0 ? candidate.score / bestScore : 0;
  return Math.round((points + Math.floor(share * BODY_STEPS)) * 1000);
}

function fieldWords(text: string): string[] {
  return wordsOf(text).map(({ word }) => word);
}

/** 1 where the term stands as a whole, a little less where it begins a word, 0 where it is not. */
function presence(words: string[], { words: wanted, prefix }: PlannedTerm): number {
  if (positionOf(words, wanted, false) >= 0) return 1;
  return prefix && positionOf(words, wanted, true) >= 0 ? BEGINNING : 0;
}

function positionOf(words: string[], wanted: string[], lastMayGrow: boolean): number {
  const last = wanted.length - 1;
  return words.findIndex((_, at) =>
    wanted.every((word, index) =>
      lastMayGrow && index === last ? (words[at + index] ?? '').startsWith(word) : words[at + index] === word,
    ),
  );
}
