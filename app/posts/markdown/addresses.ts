import { codeLines } from './parser.ts';

/**
 * Replaces the addresses of images and links in a Markdown text and leaves every other character alone:
 * `![x](address)`, `{poster=address}`, `[x]: address`, `<img src="address">`, `<https://…>` (which becomes `[https://…](address)`). Code is not touched.
 * @param replace gets the address, unescaped and percent-decoded; null keeps it
 */
export function replaceAddresses(markdown: string, replace: (address: string) => string | null): string {
  let code: Range[] | null = null;
  const replaced = (whole: string, before: string, address: string, index: number) => {
    // Most texts have few addresses or no address.
    code ??= codeRanges(markdown);
    if (isInside(code, index + before.length)) return whole;
    const next = replace(decodeDestination(address));
    return next === null
      ? whole
      : before + asDestination(next, address) + whole.slice(before.length + address.length);
  };
  return markdown.replace(slots, (whole: string, ...groups: unknown[]) => {
    const index = groups.find((group): group is number => typeof group === 'number')!;
    const [inline, destination, definition, target, mark, poster, attribute, value, alone] = groups as (
      | string
      | undefined
    )[];
    if (alone !== undefined) return asLink(alone, replaced(whole, '<', alone, index));
    if (inline !== undefined) return replaced(whole, inline, destination!, index);
    if (definition !== undefined) return replaced(whole, definition, target!, index);
    if (mark !== undefined) return replaced(whole, mark, poster!, index);
    return replaced(whole, attribute!, value!, index);
  });
}

/** The addresses that `replaceAddresses` finds, each once, in order. */
export function addressesOf(markdown: string): string[] {
  const addresses = new Set<string>();
  replaceAddresses(markdown, (address) => {
    addresses.add(address);
    return null;
  });
  return [...addresses];
}

// One balanced pair of parentheses is allowed in an address, as in links to Wikipedia.
const bare = String.raw`[^\s<>()"']+(?:\([^\s<>()]*\)[^\s<>()"']*)*`;
const pointed = String.raw`<[^<>\n]+>`;
const slots = new RegExp(
  [
    String.raw`(\]\(\s*)(${pointed}|${bare})`,
    // A footnote begins in the same way, but with its text.
    String.raw`(^[ \t>]*\[(?!\^)[^\]\n]+\]:[ \t]*)(${pointed}|\S+)`,
    String.raw`(\{(?:[^{}\n]*\s)?poster=)([^\s{}"'<>]+)`,
    String.raw`(\s(?:src|href|poster)\s*=\s*)("[^"\n]*"|'[^'\n]*'|[^\s"'=<>]+)`,
    String.raw`<(https?://[^\s<>]+)>`,
  ].join('|'),
  'gim',
);

/**
 * Markdown allows only absolute addresses between `<` and `>`. Any other becomes a link with the old address as its
 * text.
 */
function asLink(alone: string, replaced: string): string {
  const inner = replaced.slice(1, -1);
  if (/^https?:/i.test(inner)) return replaced;
  return `[${alone.replace(/[\\[\]*_`]/g, '\\$&')}](${inner})`;
}

/** The destination of a Markdown link without its brackets, unescaped and percent-decoded. */
export function decodeDestination(raw: string): string {
  const inner = /^[<"']/.test(raw) ? raw.slice(1, -1) : raw;
  const unescaped = inner.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');
  try {
    return decodeURI(unescaped);
  } catch {
    return unescaped;
  }
}

function asDestination(address: string, raw: string): string {
  const encoded = encodeURI(address).replace(/[()'"]/g, (character) => encodeURIComponent(character));
  const plain = encoded.replace(/[()']/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return /^["']/.test(raw) ? raw[0]! + plain + raw[0]! : plain;
}

export type Range = readonly [from: number, to: number];

/** Caches the last text: an importer asks several times for the same one. */
let last: { markdown: string; ranges: Range[] } = { markdown: '', ranges: [] };

export function codeRanges(markdown: string): Range[] {
  if (markdown !== last.markdown) last = { markdown, ranges: findCode(markdown) };
  return last.ranges;
}

function findCode(markdown: string): Range[] {
  // Most texts contain nothing that could begin code: no fence, no span, no line with enough indentation.
  if (!/[`\t]|~~~| {4}/.test(markdown)) return [];
  const blocks: Range[] = [];
  const starts = lineStarts(markdown);
  for (const [from, to] of codeLines(markdown)) blocks.push([starts[from]!, starts[to] ?? markdown.length]);
  // Code spans outside the blocks: a run of backticks up to the next run of the same length.
  const runs = [...markdown.matchAll(/`+/g)].filter(({ index }) => !isInside(blocks, index));
  const spans: Range[] = [];
  for (let open = 0; open < runs.length; open += 1) {
    const length = runs[open]![0].length;
    // A span ends with its paragraph, and few paragraphs have hundreds of runs.
    const rest = runs.slice(open + 1, open + 200);
    const close = rest.findIndex((run) => run[0].length === length);
    if (close < 0) continue;
    const from = runs[open]!.index;
    const to = rest[close]!.index + length;
    if (/\n[ \t>]*\n/.test(markdown.slice(from, to))) continue;
    spans.push([from, to]);
    open += close + 1;
  }
  return [...blocks, ...spans].sort((a, b) => a[0] - b[0]);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** True for a position in one of the ranges, which are sorted and do not overlap. */
export function isInside(ranges: Range[], position: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![1] <= position) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]![0] <= position;
}
