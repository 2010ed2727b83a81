/** Three texts as one. */
export interface MergedText {
  /** Has both sides' changes; where both changed the same paragraphs, those of `ours`. */
  text: string;
  /** True if both sides changed the same paragraphs in different ways. */
  hasConflict: boolean;
}

export interface Merging {
  workers: {
    /**
     * `mergeParagraphs`, in a server outside the thread that answers requests.
     * @throws AppError `unavailable` when it takes too long, or too many texts wait
     */
    mergeParagraphs(base: string, ours: string, theirs: string): Promise<MergedText>;
  };
}

/** A paragraph, and the blank lines before it. */
interface Paragraph {
  gap: string;
  text: string;
  /** The text with plain line ends, by which paragraphs are compared. */
  key: string;
}

/** A text: its paragraphs, and the blank lines before the first and after the last one. */
interface Split {
  start: string;
  paragraphs: Paragraph[];
  end: string;
}

/** Paragraphs of the common text, from `from` to before `to`, that a side has replaced by its own. */
interface Hunk {
  from: number;
  to: number;
  own: Paragraph[];
}

const PARAGRAPH_BREAK = '\n\n';

/**
 * Merges two texts that were made from a common one, paragraph by paragraph. Paragraphs are divided by blank lines. What
 * neither side changed has the bytes of `ours`. The cost is linear, besides a binary search for each paragraph.
 */
export function mergeParagraphs(base: string, ours: string, theirs: string): MergedText {
  const common = splitParagraphs(base).paragraphs;
  const { start, paragraphs, end } = splitParagraphs(ours);
  const hunks = {
    ours: hunksOf(common, paragraphs),
    theirs: hunksOf(common, splitParagraphs(theirs).paragraphs),
  };
  const unchanged = [...common];
  for (const [inCommon, inOurs] of matchParagraphs(common, paragraphs))
    unchanged[inCommon] = paragraphs[inOurs]!;
  const merged = mergeHunks(unchanged, hunks);
  return { text: start + joinParagraphs(merged.paragraphs) + end, hasConflict: merged.hasConflict };
}

function splitParagraphs(text: string): Split {
  const start = /^(?:[ \t]*\r?\n)*/.exec(text)![0];
  const end = text.slice(Math.max(start.length, text.trimEnd().length));
  // Every second part is what divides two paragraphs.
  const parts = text.slice(start.length, text.length - end.length).split(/(\r?\n(?:[ \t]*\r?\n)+)/);
  const paragraphs: Paragraph[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const own = parts[index]!;
    if (own !== '') paragraphs.push({ gap: parts[index - 1] ?? '', text: own, key: plainEnds(own) });
  }
  return { start, paragraphs, end };
}

function plainEnds(text: string): string {
  return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).trimEnd();
}

function joinParagraphs(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .map(({ gap, text }, index) => (index === 0 ? text : (gap || PARAGRAPH_BREAK) + text))
    .join('');
}

/** What a side has replaced, in order. */
function hunksOf(base: readonly Paragraph[], side: readonly Paragraph[]): Hunk[] {
  const matches = [...matchParagraphs(base, side), [base.length, side.length] as const];
  const hunks: Hunk[] = [];
  let [atBase, atSide] = [0, 0];
  for (const [inBase, inSide] of matches) {
    const own = side.slice(atSide, inSide);
    // As many as before: each replaces the one in its place, so that the other side may change its neighbours.
    if (own.length === inBase - atBase)
      own.forEach((paragraph, index) =>
        hunks.push({ from: atBase + index, to: atBase + index + 1, own: [paragraph] }),
      );
    else if (own.length > 0 || inBase > atBase) hunks.push({ from: atBase, to: inBase, own });
    [atBase, atSide] = [inBase + 1, inSide + 1];
  }
  return hunks;
}

/**
 * Pairs of equal paragraphs in the order of both texts: those that occur once in each, and their equal neighbours. They
 * need not be the most that there are: what stays unmatched counts as changed.
 */
function matchParagraphs(base: readonly Paragraph[], side: readonly Paragraph[]): [number, number][] {
  const isSame = (inBase: number, inSide: number) => base[inBase]?.key === side[inSide]?.key;
  const ends: [number, number] = [base.length, side.length];
  const anchors: [number, number][] = [[-1, -1], ...longestIncreasing(uniquePairs(base, side)), ends];
  const matches: [number, number][] = [];
  for (const [index, [baseEnd, sideEnd]] of anchors.entries()) {
    if (index === 0) continue;
    let [inBase, inSide] = anchors[index - 1]!;
    while (inBase + 1 < baseEnd && inSide + 1 < sideEnd && isSame(inBase + 1, inSide + 1))
      matches.push([++inBase, ++inSide]);
    const before: [number, number][] = [];
    let [fromBase, fromSide] = [baseEnd, sideEnd];
    while (fromBase - 1 > inBase && fromSide - 1 > inSide && isSame(fromBase - 1, fromSide - 1))
      before.push([--fromBase, --fromSide]);
    for (const pair of before.reverse()) matches.push(pair);
    if (baseEnd < base.length) matches.push([baseEnd, sideEnd]);
  }
  return matches;
}

/** The places of each paragraph that occurs once in both texts, in the order of the second. */
function uniquePairs(base: readonly Paragraph[], side: readonly Paragraph[]): [number, number][] {
  const placesInBase = uniquePlaces(base);
  const pairs: [number, number][] = [];
  for (const [key, inSide] of uniquePlaces(side)) {
    const inBase = placesInBase.get(key);
    if (inBase !== undefined) pairs.push([inBase, inSide]);
  }
  return pairs;
}

function uniquePlaces(paragraphs: readonly Paragraph[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [place, { key }] of paragraphs.entries())
    if (places.has(key)) repeated.add(key);
    else places.set(key, place);
  for (const key of repeated) places.delete(key);
  return places;
}

/** The most pairs whose first numbers rise; the second ones rise already (patience sorting). */
function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const smallest: number[] = [];
  const previous: number[] = [];
  for (const [index, [inBase]] of pairs.entries()) {
    let [low, high] = [0, smallest.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[smallest[middle]!]![0] < inBase) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? smallest[low - 1]! : -1;
    smallest[low] = index;
  }
  const chosen: [number, number][] = [];
  for (let index = smallest.at(-1) ?? -1; index >= 0; index = previous[index]!) chosen.push(pairs[index]!);
  return chosen.reverse();
}

/** Applies both sides' hunks. Where they overlap and differ, ours are applied. */
function mergeHunks(
  base: readonly Paragraph[],
  { ours, theirs }: { ours: readonly Hunk[]; theirs: readonly Hunk[] },
): { paragraphs: Paragraph[]; hasConflict: boolean } {
  const paragraphs: Paragraph[] = [];
  let hasConflict = false;
  let [at, mine, other] = [0, 0, 0];
  const keepUntil = (end: number) => {
    for (; at < end; at += 1) paragraphs.push(base[at]!);
  };
  const apply = ({ from, to, own }: Hunk) => {
    keepUntil(from);
    for (const paragraph of own) paragraphs.push(paragraph);
    at = to;
  };
  while (mine < ours.length || other < theirs.length) {
    const [our, their] = [ours[mine], theirs[other]];
    if (our && their && overlap(our, their)) {
      const [firstMine, firstOther] = [mine, other];
      let to = Math.max(ours[mine++]!.to, theirs[other++]!.to);
      // Those that overlap one of them, and so on.
      while ((ours[mine]?.from ?? Infinity) < to || (theirs[other]?.from ?? Infinity) < to)
        to = Math.max(to, ((ours[mine]?.from ?? Infinity) < to ? ours[mine++] : theirs[other++])!.to);
      const [chosen, dropped] = [ours.slice(firstMine, mine), theirs.slice(firstOther, other)];
      hasConflict ||= !isSameChange(chosen, dropped);
      chosen.forEach(apply);
      keepUntil(to);
    } else if (our && (!their || isBefore(our, their))) apply(ours[mine++]!);
    else apply(theirs[other++]!);
  }
  keepUntil(base.length);
  return { paragraphs, hasConflict };
}

/** Two insertions at one place overlap, too: nothing says which comes first. */
function overlap(a: Hunk, b: Hunk): boolean {
  const isInsertion = a.from === a.to && b.from === b.to;
  if (isInsertion) return a.from === b.from;
  return a.from < b.to && b.from < a.to;
}

function isBefore(a: Hunk, b: Hunk): boolean {
  return a.from < b.from || (a.from === b.from && a.to <= b.to);
}

function isSameChange(a: readonly Hunk[], b: readonly Hunk[]): boolean {
  const written = (hunks: readonly Hunk[]) =>
    JSON.stringify(hunks.map(({ from, to, own }) => [from, to, own.map(({ key }) => key)]));
  return written(a) === written(b);
}
