import type { SearchDocument, MatchedWords } from '#app/search/engine.ts';
import { tokenizable, type QueryTerm, mayContain, plainWords, wordsOf } from '#app/search/words.ts';

/**
 * Words of the index that nobody can type: they begin with a character for private use. Each has a list of its own, so
 * that posts of a tag, or with a word in the title, are found without passing over all that have the word elsewhere.
 */
const marks = { category: '\ue000', tag: '\ue001', title: '\ue002' } as const;

const MARK = /^[\ue000-\ue002]/;

/** True for a word of the index that is none of a text. */
export function isMark(word: string): boolean {
  return MARK.test(word);
}

/** The mark of a document's category, one of its tags or a folded word of its title. */
export function markOf(kind: keyof typeof marks, value: string): string {
  // Of an id only letters and digits: a hyphen would end the word.
  return marks[kind] + (kind === 'title' ? value : value.replace(/[^\da-z]/gi, ''));
}

/** All marks of a document, as the text of their column. */
export function marksOf({ categoryId, tagIds, title }: SearchDocument): string {
  // As the index's tokenizer splits it: letters and digits, dots, and everything beyond ASCII.
  const words = tokenizable(title).match(/[\da-z.\x80-\u{10ffff}]+/giu) ?? [];
  return [
    ...(categoryId === '' ? [] : [markOf('category', categoryId)]),
    ...tagIds.map((id) => markOf('tag', id)),
    ...words.map((word) => markOf('title', word)),
  ].join(' ');
}

/** A term of a query to the index. */
export interface PlannedTerm {
  /** Folded words, side by side. */
  words: string[];
  /** The last of the words is still being typed: words that begin with it match too, and rank lower. */
  prefix: boolean;
}

/** The plan of the first query: every term as typed, the last one also as the beginning of words. */
export function planTerms(terms: QueryTerm[]): PlannedTerm[] {
  return terms.map(({ words, spaceless }, index) => {
    const length = [...words.at(-1)!].length;
    // One letter is the beginning of half of the index. One character of a script without spaces is half a pair.
    const mayGrow = spaceless ? length === 1 : length > 1 && index === terms.length - 1;
    return { words, prefix: mayGrow };
  });
}

/** An FTS5 expression. Words contain only letters, digits and dots, and are in quotes: nothing typed is an operator. */
export function matchExpression(plan: PlannedTerm[], operator: 'AND' | 'OR'): string {
  return plan.map(termExpression).join(` ${operator} `);
}

function termExpression({ words, prefix }: PlannedTerm): string {
  const phrase = `"${words.join(' ')}"`;
  // A whole word counts twice, so it ranks before longer ones.
  return prefix ? `(${phrase} OR ${phrase} *)` : phrase;
}

/** As `matchExpression`, for words in the title. */
export function titleExpression(plan: PlannedTerm[], operator: 'AND' | 'OR'): string {
  const inTitle = ({ words, prefix }: PlannedTerm) =>
    words.map((word, index) => {
      const isTyped = prefix && index === words.length - 1;
      return `"${markOf('title', word)}"${isTyped ? ' *' : ''}`;
    });
  return plan.map((term) => `(${inTitle(term).join(' AND ')})`).join(` ${operator} `);
}

/** The words to mark in the texts of the hits. */
export function matchedWords(plan: PlannedTerm[]): MatchedWords {
  const growing = plan.filter(({ prefix }) => prefix).map(({ words }) => words.at(-1)!);
  return { words: [...new Set(plan.flatMap(({ words }) => words))], prefixes: growing };
}

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
