import { distance } from 'fastest-levenshtein';

/**
 * Splits text into words, for indexing, queries and highlights of both engines alike. Words contain only letters,
 * digits and dots, so they contain no query syntax. An emoji is a word, spelled by the numbers of its characters.
 */
export interface Word {
  /** Folded: lower case, without accents. */
  word: string;
  /** Its position in the text. */
  start: number;
  end: number;
}

/** A word of a query, or a run without spaces (Chinese, Japanese, Korean, Thai, …) as several words. */
export interface QueryTerm {
  words: string[];
  start: number;
  end: number;
  /** A run without spaces, or an emoji: its words are adjacent, and typos are not searched. */
  spaceless: boolean;
}

/** Raised when the rules below change. Indexes built by older rules then count as stale. */
export const WORDS_VERSION = 3;

/** A longer word is cut; Typesense cuts at 100. */
const MAX_WORD = 64;
const MAX_TERMS = 12;

// Letters, digits and their marks. Soft hyphens and joiners belong to the word around them; `1.31` is one word; `C++`
// and `C#` keep their signs.
// Before them emoji, one for each picture that people see: families and flags are several characters. Not `©`, `™` and
// arrows, which belong to texts.
const emojiEnd = '[\\p{EMod}\\ufe0e\\ufe0f\\u20e3\\u{e0020}-\\u{e007f}]*';
const pictograph = `(?![\\0-\\u22ff])\\p{ExtPict}${emojiEnd}`;
const emoji = `\\p{RI}{1,2}|${pictograph}(?:\\u200d\\p{ExtPict}${emojiEnd})*`;
const isEmoji = new RegExp(`^(?:${emoji})$`, 'u');
const letters =
  /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d]+(?:(?<=\p{Nd})\.\p{Nd}+)*(?:\+\+|[+#](?![\p{L}\p{N}]))?/u;
const segmentPattern = new RegExp(`${emoji}|${letters.source}`, 'gu');
/** The same pattern for ASCII text in lower case. */
const asciiSegment = /[a-z0-9]+(?:(?<=\d)\.\d+)*(?:\+\+|[+#](?![a-z0-9]))?/g;
/** Matches segments that `spacedWords` splits, shortens or gives several forms. */
const severalForms = /[.+#]|^v\d/i;
/**
 * A line that matches neither this nor `severalForms` has only ASCII words, each in one form. Two expressions are
 * faster than one.
 */
const unplainCharacter = /[+#\0\x80-\uffff]/;
const unplainNumber = /[\dvV]\.?\d/;
const spacelessScripts =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u30fc\\uff70\\uff9e\\uff9f';
const spacelessPart = new RegExp(`[${spacelessScripts}\\p{M}]+|[^${spacelessScripts}]+`, 'gu');
const isSpaceless = new RegExp(`^[${spacelessScripts}]`, 'u');
const hasSpaceless = new RegExp(`[${spacelessScripts}]`, 'u');
const character = /\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gsu;
const beyondAscii = /[^\0-\x7f]/;

/** The words of a text in order. Runs without spaces become overlapping pairs and their last character. */
export function wordsOf(text: string): Word[] {
  if (!beyondAscii.test(text)) return asciiWordsOf(text);
  const words: Word[] = [];
  for (const segment of segmentsOf(text)) {
    const { start, end } = segment;
    if (isEmoji.test(segment.text)) words.push({ word: emojiWord(segment.text), start, end });
    else if (segment.spaceless) words.push(...pairsOf(segment.text, start, { withLast: true }));
    else for (const word of spacedWords(segment.text)) words.push({ word, start, end });
  }
  return words;
}

// The words of an ASCII text, several times as fast. Ordering and marking results needs this.
function asciiWordsOf(text: string): Word[] {
  const words: Word[] = [];
  const lower = text.toLowerCase();
  asciiSegment.lastIndex = 0;
  // Not `matchAll`, which creates objects for each word.
  for (let match; (match = asciiSegment.exec(lower));) {
    const segment = match[0];
    const start = match.index;
    const end = start + segment.length;
    if (segment.length <= MAX_WORD && !severalForms.test(segment)) words.push({ word: segment, start, end });
    else for (const word of spacedWords(segment)) words.push({ word, start, end });
  }
  return words;
}

/** The words of a text without their positions: several times as fast, which counts in a rebuild. */
export function plainWords(text: string): string[] {
  const isAscii = !beyondAscii.test(text);
  const segments = isAscii ? text.toLowerCase().match(asciiSegment) : text.match(segmentPattern);
  const words: string[] = [];
  for (const segment of segments ?? []) {
    if (!isAscii && beyondAscii.test(segment)) words.push(...wordsOf(segment).map(({ word }) => word));
    else if (segment.length > MAX_WORD || severalForms.test(segment)) words.push(...spacedWords(segment));
    else words.push(isAscii ? segment : segment.toLowerCase());
  }
  return words;
}

/**
 * False when a text surely contains none of the words and prefixes. Searches for substrings, much faster than splitting
 * the text into words. A text with letters beyond ASCII or signs (`C#`) may contain any word, because such words are
 * indexed in another spelling.
 */
export function mayContain(text: string, wanted: string[]): boolean {
  if (/[+#\x80-\uffff]/.test(text)) return true;
  const lower = text.toLowerCase();
  return wanted.some((word) => lower.includes(word));
}

/** The words of a text with one space between them, as the engines store it. */
export function analyse(text: string): string {
  return plainWords(text).join(' ');
}

/**
 * The text in the form that the embedded index takes. In a plain line the index's own tokenizer (ASCII, dots belong to
 * words) finds the same words as `plainWords`, many times as fast.
 */
export function tokenizable(text: string): string {
  if (isPlain(text)) return text.replaceAll('.', ' ');
  return text
    .split('\n')
    .map((line) => (isPlain(line) ? line.replaceAll('.', ' ') : analyse(line)))
    .join('\n');
}

function isPlain(text: string): boolean {
  return !unplainCharacter.test(text) && !unplainNumber.test(text) && !hasLongRun(text);
}

/** Whether there are more characters between two spaces than a word may have. */
function hasLongRun(text: string): boolean {
  // Jumps from the last space within this distance to the next one, so that one test covers several words.
  for (let start = 0; text.length - start > MAX_WORD;) {
    const space = text.lastIndexOf(' ', start + MAX_WORD);
    if (space < start) return true;
    start = space + 1;
  }
  return false;
}

/** The words of a query, each once; at most a dozen count. */
export function queryTerms(query: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  const seen = new Set<string>();
  const add = (term: QueryTerm) => {
    const key = term.words.join(' ');
    if (key === '' || seen.has(key) || terms.length === MAX_TERMS) return;
    seen.add(key);
    terms.push(term);
  };
  for (const { text, start, end, spaceless } of segmentsOf(query)) {
    if (spaceless) {
      const words = isEmoji.test(text) ? [emojiWord(text)] : pairsOf(text, start).map(({ word }) => word);
      add({ words: words.slice(0, MAX_TERMS), start, end, spaceless });
    } else {
      for (const word of spacedWords(text)) add({ words: [word], start, end, spaceless });
    }
  }
  return terms;
}

interface Segment {
  /** The term as typed. */
  text: string;
  start: number;
  end: number;
  spaceless: boolean;
}

function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  for (const match of text.matchAll(segmentPattern)) {
    const [whole] = match;
    const isWhole = isEmoji.test(whole);
    if (isWhole || !hasSpaceless.test(whole)) {
      segments.push({ text: whole, start: match.index, end: match.index + whole.length, spaceless: isWhole });
      continue;
    }
    for (const part of whole.matchAll(spacelessPart)) {
      const start = match.index + part.index;
      const [partText] = part;
      segments.push({
        text: partText,
        start,
        end: start + partText.length,
        spaceless: isSpaceless.test(partText),
      });
    }
  }
  return segments;
}

/**
 * The forms under which a segment is found: `v1.31.0` also as `1.31`, `Notepad++` also as `notepad`, `C#` as `csharp`.
 */
function spacedWords(segment: string): string[] {
  const [, base = '', sign = ''] = /^(.*?)(\+\+|[+#])?$/su.exec(segment) ?? [];
  const word = fold(base).replace(/^v(?=\d)/, '');
  const words = word.length > 2 || sign === '' ? [word] : [];
  if (sign) words.push(word + signNames[sign]!);
  const release = /^(\d+\.\d+)\.\d/.exec(word)?.[1];
  if (release) words.push(release);
  return words.filter((each) => each !== '').map((each) => each.slice(0, MAX_WORD));
}

/** The same for every colour of skin and form of the picture. No engine keeps the characters themselves. */
function emojiWord(emoji: string): string {
  const characters = emoji.replace(/[\p{EMod}\ufe0e\ufe0f\u200d]/gu, '');
  const codes = [...characters].map((each) => `zx${each.codePointAt(0)!.toString(16)}`);
  return codes.join('').slice(0, MAX_WORD);
}

const signNames: Record<string, string> = { '+': 'plus', '++': 'plusplus', '#': 'sharp' };

function pairsOf(run: string, offset: number, { withLast = false } = {}): Word[] {
  const characters = [...run.matchAll(character)]
    .map((match) => ({
      text: fold(match[0]),
      start: offset + match.index,
      end: offset + match.index + match[0].length,
    }))
    .filter(({ text }) => text !== '');
  const pairs = characters.slice(0, -1).map((first, index) => {
    const second = characters[index + 1]!;
    return { word: first.text + second.text, start: first.start, end: second.end };
  });
  const last = characters.at(-1);
  // The last character alone too, so that a query of one character finds it as a beginning everywhere in the run.
  if (last && (withLast || pairs.length === 0))
    pairs.push({ word: last.text, start: last.start, end: last.end });
  return pairs;
}

/** Lower case without accents, width and ligature forms, in any script. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!beyondAscii.test(lower)) return lower;
  return (
    lower
      .normalize('NFKD')
      // Removes accents and everything that is not part of a word: folding splits `⑴` into a digit in brackets.
      .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\u20dd-\u20e4\ufe00-\ufe0f]|[^\p{L}\p{N}\p{M}.]/gu, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[ßæœøłđðþıς]/g, (letter) => plainLetters[letter]!)
  );
}

const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/** A shorter word is never corrected. */
export const SHORTEST_WITH_TYPO = 4;

/**
 * The number of typos that a word may have: one from 4 letters, two from 7, none in a word with digits (as Typesense
 * does).
 */
export function allowedTypos(word: string): number {
  if (/\p{N}/u.test(word)) return 0;
  const { length } = word;
  return length >= 7 ? 2 : length >= SHORTEST_WITH_TYPO ? 1 : 0;
}

/**
 * Edit distance in which two swapped neighbours count as one typo. Above `max` the number is not exact.
 */
export function typosBetween(typed: string, word: string, max: number): number {
  if (Math.abs(typed.length - word.length) > max) return max + 1;
  const plain = distance(typed, word);
  // A swap counts two in the plain distance, so only these distances can become at most `max`.
  if (plain < 2 || plain > 2 * max) return plain;
  let best = plain;
  for (let at = 0; at + 1 < typed.length; at += 1) {
    if (typed[at] === typed[at + 1]) continue;
    const swapped = typed.slice(0, at) + typed[at + 1]! + typed[at]! + typed.slice(at + 2);
    best = Math.min(best, distance(swapped, word) + 1);
  }
  return best;
}

/** The query that was searched: corrected words replace the typed ones, the rest stays. */
export function replaceWords(
  text: string,
  replacements: readonly { start: number; end: number; word: string }[],
): string {
  let result = '';
  let at = 0;
  for (const { start, end, word } of replacements) {
    result += text.slice(at, start) + word;
    at = end;
  }
  return result + text.slice(at);
}
