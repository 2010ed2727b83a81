import { graphemeStart } from '#app/platform/text/graphemes.ts';
import type { MatchedWords } from './engine.ts';
import { mayContain, wordsOf, type Word } from './words.ts';

/** A piece of text, marked where it matches. Plain text, not HTML. */
export interface TextSegment {
  text: string;
  marked: boolean;
}

const SNIPPET_CHARACTERS = 220;

/** The whole text with its matches marked. */
export function highlight(text: string, matched: MatchedWords): TextSegment[] {
  return segments(text, 0, text.length, matchingWords(text, matched));
}

/** The part of a text with the most different matches, marked; the beginning of the text if nothing matches. */
export function snippet(text: string, matched: MatchedWords): TextSegment[] {
  const marks = matchingWords(text, matched);
  const start = bestStart(text, marks);
  const end = wordEnd(text, Math.min(text.length, start + SNIPPET_CHARACTERS));
  const pieces = segments(text, start, end, marks);
  if (start > 0) pieces.unshift({ text: '… ', marked: false });
  if (end < text.length) pieces.push({ text: ' …', marked: false });
  return pieces;
}

function matchingWords(text: string, { words, prefixes }: MatchedWords): Word[] {
  const exact = new Set(words);
  const beginnings = [...words, ...prefixes];
  const marks: Word[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    if (mayContain(line, beginnings))
      for (const { word, start, end } of wordsOf(line))
        if (exact.has(word) || prefixes.some((prefix) => word.startsWith(prefix)))
          marks.push({ word, start: start + offset, end: end + offset });
    offset += line.length + 1;
  }
  return marks;
}

function bestStart(text: string, marks: Word[]): number {
  let best = 0;
  let bestCount = 0;
  for (const [index, mark] of marks.entries()) {
    const different = new Set<string>();
    for (let next = index; next < marks.length; next += 1) {
      if (marks[next]!.end > mark.start + SNIPPET_CHARACTERS * 0.7) break;
      different.add(marks[next]!.word);
    }
    if (different.size > bestCount) [best, bestCount] = [mark.start, different.size];
  }
  if (best <= SNIPPET_CHARACTERS / 4) return 0;
  return wordStart(text, best - Math.round(SNIPPET_CHARACTERS / 4));
}

function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + 30).search(/\s/);
  return graphemeStart(text, space === -1 ? from : from + space + 1);
}

function wordEnd(text: string, to: number): number {
  if (to >= text.length) return text.length;
  const back = text.slice(to - 30, to).search(/\s\S*$/);
  return graphemeStart(text, back === -1 ? to : to - 30 + back);
}

function segments(text: string, start: number, end: number, marks: Word[]): TextSegment[] {
  const pieces: TextSegment[] = [];
  const push = (from: number, to: number, { marked }: Pick<TextSegment, 'marked'>) => {
    const previous = pieces.at(-1);
    if (to <= from) return;
    if (previous?.marked === marked) previous.text += text.slice(from, to);
    else pieces.push({ text: text.slice(from, to), marked });
  };
  let at = start;
  for (const mark of marks) {
    // Adjacent pairs of a run without spaces overlap.
    if (mark.end <= at) continue;
    if (mark.start >= end) break;
    push(at, Math.max(at, mark.start), { marked: false });
    push(Math.max(at, mark.start), Math.min(mark.end, end), { marked: true });
    at = Math.min(mark.end, end);
  }
  push(at, end, { marked: false });
  return pieces;
}
