import { diffArrays } from 'diff';
import { commonEnds, compareAsBlocks, compareTexts } from './compare-texts.ts';
import { collides, isChanged, joinPassages, type ChangedPassage, type Passage } from './passages.ts';

/** Versions that differ in more paragraphs or lines than this are compared as a whole: the search is quadratic. */
const MAX_EDITS = 500;
/** The most changed passages to choose from one by one. */
const MAX_CHANGED = 100;

/**
 * Compares two versions of a text paragraph by paragraph. Takes long for large texts: requests call
 * `Workers.comparePassages`.
 * @param base the text from which both were made; null when it is no longer kept
 */
export function comparePassages(base: string | null, mine: string, theirs: string): Passage[] {
  const chunks = align(paragraphsOf(base ?? theirs), paragraphsOf(mine), paragraphsOf(theirs));
  const passages = chunks?.map((chunk) => passageOf(chunk, { hasBase: base !== null }));
  if (!passages) return compareAsWhole(base, mine, theirs);
  const changed = passages.filter(isChanged).length > MAX_CHANGED ? joinChanged(passages) : passages;
  return changed.map((passage) => (isChanged(passage) ? withChanges(passage, compareTexts) : passage));
}

/** The same with one changed passage: everything between the common beginning and end. Fast. */
export function compareAsWhole(base: string | null, mine: string, theirs: string): Passage[] {
  if (mine === theirs) return [{ text: mine }];
  const ends = [commonEnds(mine, theirs), ...(base === null ? [] : [commonEnds(mine, base)])];
  const start = Math.min(...ends.map((common) => common.start));
  const end = Math.min(...ends.map((common) => common.end));
  const middle = (text: string) => text.slice(start, Math.max(start, text.length - end));
  const texts = { base: base === null ? null : middle(base), mine: middle(mine), theirs: middle(theirs) };
  return [
    ...unchanged(mine.slice(0, start)),
    withChanges(changedPassage({ ...texts, both: null }), compareAsBlocks),
    ...unchanged(mine.slice(mine.length - end)),
  ];
}

/** The text with the changes of both versions; null if they changed the same lines. As `comparePassages`, takes long. */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  const passages = align(paragraphsOf(base), paragraphsOf(mine), paragraphsOf(theirs))?.map((chunk) =>
    passageOf(chunk, { hasBase: true }),
  );
  const isMerged = passages?.every((passage) => !isChanged(passage) || !collides(passage));
  return isMerged ? joinPassages(passages!) : null;
}

/** A part of three texts, in pieces. The pieces are equal, or a version changes them. */
type Chunk = Record<'base' | 'mine' | 'theirs', string[]>;

/** A replacement of the pieces from `from` to before `to`. */
interface Edit {
  from: number;
  to: number;
  pieces: string[];
}

function passageOf(chunk: Chunk, { hasBase }: { hasBase: boolean }): Passage {
  const { base, mine, theirs } = textsOf(chunk);
  if (mine === theirs) return { text: mine };
  if (!hasBase) return changedPassage({ base: null, mine, theirs, both: null });
  const isByBoth = mine !== base && theirs !== base;
  return changedPassage({ base, mine, theirs, both: isByBoth ? mergeLines(base, mine, theirs) : null });
}

function changedPassage(texts: Omit<ChangedPassage, 'take' | 'changes'>): ChangedPassage {
  const { base, mine, theirs, both } = texts;
  const changes = { mine: [], theirs: [] };
  if (both !== null && both !== mine && both !== theirs) return { ...texts, take: 'both', changes };
  return { ...texts, both: null, take: mine === base ? 'theirs' : 'mine', changes };
}

function withChanges(passage: ChangedPassage, compare: typeof compareAsBlocks): ChangedPassage {
  const { base, mine, theirs } = passage;
  const from = base ?? theirs;
  return { ...passage, changes: { mine: compare(from, mine), theirs: compare(from, theirs) } };
}

/** Null if both versions changed the same line, or lines next to each other. */
function mergeLines(...texts: [base: string, mine: string, theirs: string]): string | null {
  const [base, mine, theirs] = texts.map((text) => text.split(/(?<=\n)/)) as [string[], string[], string[]];
  const merged = align(base, mine, theirs)?.map((chunk) => {
    const { base, mine, theirs } = textsOf(chunk);
    if (mine === base || mine === theirs) return theirs;
    return theirs === base ? mine : null;
  });
  return merged?.includes(null) === false ? merged.join('') : null;
}

/** Splits three texts into parts that belong together. Null if they differ in too much. */
function align(base: string[], mine: string[], theirs: string[]): Chunk[] | null {
  const [byMe, byThem] = [editsOf(base, mine), editsOf(base, theirs)];
  if (!byMe || !byThem) return null;
  const chunks: Chunk[] = [];
  let at = 0;
  while (byMe.length > 0 || byThem.length > 0) {
    const from = Math.min(byMe[0]?.from ?? Infinity, byThem[0]?.from ?? Infinity);
    if (from > at) chunks.push(equalChunk(base.slice(at, from)));
    let to = from;
    const own = { mine: [] as Edit[], theirs: [] as Edit[] };
    // Edits that overlap or touch each other belong together.
    for (;;) {
      const mineNext = byMe[0] && byMe[0].from <= to;
      if (!mineNext && !(byThem[0] && byThem[0].from <= to)) break;
      const edit = (mineNext ? byMe : byThem).shift()!;
      own[mineNext ? 'mine' : 'theirs'].push(edit);
      to = Math.max(to, edit.to);
    }
    const after = (edits: Edit[]) => applyEdits(base, edits, { from, to });
    chunks.push({ base: base.slice(from, to), mine: after(own.mine), theirs: after(own.theirs) });
    at = to;
  }
  if (at < base.length) chunks.push(equalChunk(base.slice(at)));
  return chunks;
}

function editsOf(before: string[], after: string[]): Edit[] | null {
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (!changes) return null;
  const edits: Edit[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const last = edits.at(-1);
    const edit = last?.to === at ? last : { from: at, to: at, pieces: [] };
    if ((added || removed) && edit !== last) edits.push(edit);
    if (added) edit.pieces.push(...value);
    else at += value.length;
    if (removed) edit.to = at;
  }
  return edits;
}

function applyEdits(base: string[], edits: Edit[], { from, to }: { from: number; to: number }): string[] {
  const pieces: string[] = [];
  let at = from;
  for (const edit of edits) {
    pieces.push(...base.slice(at, edit.from), ...edit.pieces);
    at = edit.to;
  }
  return [...pieces, ...base.slice(at, to)];
}

/** Paragraphs and the blank lines between them, so that a blank line stays the same beside a changed paragraph. */
function paragraphsOf(text: string): string[] {
  return text.split(/(\n[ \t\n]*\n)/).filter((piece) => piece !== '');
}

function equalChunk(pieces: string[]): Chunk {
  return { base: pieces, mine: pieces, theirs: pieces };
}

function textsOf({ base, mine, theirs }: Chunk): Record<keyof Chunk, string> {
  return { base: base.join(''), mine: mine.join(''), theirs: theirs.join('') };
}

function unchanged(text: string): Passage[] {
  return text === '' ? [] : [{ text }];
}

/** One changed passage from the first to the last of many. */
function joinChanged(passages: Passage[]): Passage[] {
  const first = passages.findIndex(isChanged);
  const last = passages.findLastIndex(isChanged);
  const between = passages.slice(first, last + 1);
  const joined = (version: 'base' | 'mine' | 'theirs') =>
    between.map((passage) => (isChanged(passage) ? (passage[version] ?? '') : passage.text)).join('');
  const changed = between.filter(isChanged);
  const hasBase = changed.every(({ base }) => base !== null);
  return [
    ...passages.slice(0, first),
    changedPassage({
      base: hasBase ? joined('base') : null,
      mine: joined('mine'),
      theirs: joined('theirs'),
      both: changed.some(collides) ? null : joinPassages(between),
    }),
    ...passages.slice(last + 1),
  ];
}
