import { mayContain, plainWords, wordsOf } from '../words.ts';
import type { PlannedTerm } from './query-plan.ts';

/** A match of FTS5, with the texts that readers see at once. */
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

// A word in the title counts more than the sum of the other fields.
const WEIGHTS = { title: 10, about: 6, excerpt: 5, body: 1 };
/** Factor for a word that only begins with the typed one. */
const BEGINNING = 0.85;
const SIDE_BY_SIDE = 4;
const WHOLE_TITLE = 4;
/**
 * Times the share of the title that the query covers: of two titles with the same words the shorter one ranks first.
 */
const TITLE_SHARE = 2;
/** Factor for another form: a search for `1.31` also finds `1.31.1`. */
const OTHER_FORM = 0.95;
/** Matches texts that contain words in several forms (`1.31.1`, `C#`), or may contain them. */
const otherForms = /[+#\x80-\uffff]|\d\.\d+\.\d/;
/** bm25 decides among bodies in this many steps. Equal ones are ordered by date. */
const BODY_STEPS = 2;

/**
 * Orders candidates: by where the words are (title, terms, excerpt, body), whether they are whole and side
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
  const queryWords = plan.flatMap(({ words }) => words);
  const wordsIn = (text: string) => (mayContain(text, queryWords) ? fieldWords(text) : []);
  const title = wordsIn(candidate.title);
  const about = wordsIn(candidate.about);
  const excerpt = wordsIn(candidate.excerpt);
  let points = 0;
  let inTitle = 0;
  for (const term of plan) {
    inTitle += presence(title, term) > 0 ? term.words.length : 0;
    points += Math.max(
      WEIGHTS.title * presence(title, term),
      WEIGHTS.about * presence(about, term),
      WEIGHTS.excerpt * presence(excerpt, term),
      WEIGHTS.body,
    );
  }
  points += TITLE_SHARE * Math.min(1, inTitle / Math.max(1, title.length));
  const [position] = positionsOf(title, queryWords, { lastMayGrow: plan.at(-1)?.prefix });
  if (position !== undefined && queryWords.length > 1) points += SIDE_BY_SIDE;
  if (position === 0 && title.length === queryWords.length) points += WHOLE_TITLE;
  const share = bestScore < 0 ? candidate.score / bestScore : 0;
  return Math.round((points + Math.floor(share * BODY_STEPS)) * 1000);
}

interface FieldWord {
  word: string;
  /** Another form of the word before it. */
  other: boolean;
}

function fieldWords(text: string): FieldWord[] {
  // The positions of the words cost most, and only serve to detect other forms.
  if (!otherForms.test(text)) return plainWords(text).map((word) => ({ word, other: false }));
  const words = wordsOf(text);
  return words.map(({ word, start, end }, index) => {
    const before = words[index - 1];
    return { word, other: before?.start === start && before.end === end };
  });
}

/** 1 for the whole term, a little less for another form or a beginning, 0 for no match. */
function presence(words: FieldWord[], { words: termWords, prefix }: PlannedTerm): number {
  const positions = positionsOf(words, termWords);
  if (positions.length > 0) return positions.some((position) => !words[position]!.other) ? 1 : OTHER_FORM;
  return prefix && positionsOf(words, termWords, { lastMayGrow: true }).length > 0 ? BEGINNING : 0;
}

/** @param options.lastMayGrow the last word may be the beginning of one */
function positionsOf(words: FieldWord[], sequence: string[], { lastMayGrow = false } = {}): number[] {
  const last = sequence.length - 1;
  const positions: number[] = [];
  for (let at = 0; at + last < words.length; at += 1) {
    let index = 0;
    while (index < last && words[at + index]!.word === sequence[index]) index += 1;
    if (index < last) continue;
    const lastWord = words[at + last]!.word;
    if (lastMayGrow ? lastWord.startsWith(sequence[last]!) : lastWord === sequence[last]) positions.push(at);
  }
  return positions;
}
