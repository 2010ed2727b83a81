import type { Syntax } from '#app/import/markdown/dialects/dialects.ts';
import { codeRanges, isInside } from '#app/posts/markdown/addresses.ts';

interface HiddenPart {
  /** Sticky: matches where the hidden part begins. */
  open: RegExp;
  /** Global: the end of the part that begins with this match. Null: `open` matches all of it. */
  close: ((opening: RegExpExecArray) => RegExp) | null;
  /** The part is no comment: it is shown, or not for this reader to remove. */
  isShown?: true;
}

/** What Liquid and Nunjucks show as it is, comments included. */
const raw: HiddenPart = {
  open: /\{%-?\s{0,9}(raw|verbatim)\s{0,9}-?%\}/y,
  close: ([, name]) => new RegExp(String.raw`\{%-?\s{0,9}end${name}\s{0,9}-?%\}`, 'g'),
  isShown: true,
};

/** Hugo's escaped shortcodes: `{{</* shown *\/>}}`. */
const escapedShortcode: HiddenPart = { open: /\{\{[<%]\/\*/y, close: () => /\*\/[>%]\}\}/g, isShown: true };

/** Comments that no text means otherwise, wherever they stand. */
const everywhere: HiddenPart[] = [
  raw,
  { open: /\{%-?\s{0,9}comment\b[^%]{0,2000}%\}/y, close: () => /\{%-?\s{0,9}endcomment\s{0,9}-?%\}/g },
  { open: /\{%-?\s{0,9}#[^%]{0,2000}(?:%(?!\})[^%]{0,2000}){0,20}%\}/y, close: null },
  // kramdown: `{:/comment}`, or `{:/}` for what was opened last.
  { open: /\{::comment\}/y, close: () => /\{:\/(?:comment)?\}/g },
  { open: /\{::(?:comment|options)\b[^}\n]{0,2000}\/\}/y, close: null },
  escapedShortcode,
  {
    open: /\{\{([<%])\s{0,9}comment\b[^{}]{0,2000}(?<!\/\s{0,9})[>%]\}\}/y,
    close: () => /\{\{[<%]\s{0,9}\/\s{0,9}comment\s{0,9}[>%]\}\}/g,
  },
  { open: /\{\{-?\s{0,9}\/\*/y, close: () => /\*\/\s{0,9}-?\}\}/g },
];

/** Nunjucks and Twig. An attribute of a heading, `{#name}`, is none. */
const nunjucks: HiddenPart = { open: /\{#(?![\w:.-]{1,200}(?:\s[^{}#]{0,200})?\})/y, close: () => /#\}/g };

/** Marks of kramdown around HTML, which show nothing themselves. */
const kramdownMarks = /\{(?:::nomarkdown\b[^}\n]{0,200}|:\/nomarkdown)\}/g;

/** How often the code of the rest is found again, which takes time for the whole rest. */
const RECOUNTS_MAX = 5;

/**
 * Removes what the old site never showed: comments of kramdown, Liquid, Nunjucks and Hugo. Code stays, but for what a
 * comment contains; `raw` and escaped shortcodes show what they contain.
 */
export function withoutHiddenComments(text: string, syntax: readonly Syntax[]): string {
  if (!/\{[%{#:]/.test(text)) return text;
  const parts = syntax.includes('liquid') ? [...everywhere, nunjucks] : everywhere;
  const unclosed = new Set<string>();
  const starts = /\{(?=[%{#:])/g;
  let shown = '';
  let done = 0;
  let from = 0;
  let recounts = 0;
  // What is code depends on what stands before it: a fence inside a comment begins none behind it.
  for (let code = codeRanges(text), start = starts.exec(text); start; start = starts.exec(text)) {
    const at = start.index;
    if (isInside(code, at - from)) continue;
    const end = endOf(parts, text, at, unclosed);
    if (end === null) continue;
    starts.lastIndex = end.at;
    if (end.isShown) continue;
    shown += text.slice(done, at);
    done = end.at;
    if (!isInside(code, done - from)) continue;
    // Its code does not end in it. A text with that many such comments shows nothing of any other.
    recounts += 1;
    from = done;
    code = recounts > RECOUNTS_MAX ? [] : codeRanges(text.slice(done));
  }
  return (shown + text.slice(done)).replace(kramdownMarks, '');
}

/** Where the part ends that begins at a position; null if none begins there, or if it is never closed. */
function endOf(
  parts: readonly HiddenPart[],
  text: string,
  at: number,
  unclosed: Set<string>,
): { at: number; isShown: boolean } | null {
  for (const { open, close, isShown = false } of parts) {
    open.lastIndex = at;
    const opening = open.exec(text);
    if (!opening) continue;
    if (!close) return { at: open.lastIndex, isShown };
    const closing = close(opening);
    if (unclosed.has(closing.source)) return null;
    closing.lastIndex = open.lastIndex;
    if (closing.test(text)) return { at: closing.lastIndex, isShown };
    unclosed.add(closing.source);
    return null;
  }
  return null;
}
