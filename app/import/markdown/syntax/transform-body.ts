import { readCodeInfo } from '#app/import/html/code-info.ts';
import { Verbatim } from '#app/import/html/verbatim.ts';
import type { Syntax } from '#app/import/markdown/dialects/dialects.ts';
import { codeRanges, isInside } from '#app/posts/markdown/addresses.ts';
import { readCodeComponents, readExpressions, readJsx } from './jsx.ts';
import { readLiquid } from './liquid-tags.ts';
import {
  readAdmonitions,
  readAlerts,
  readAttributes,
  readNotices,
  readIndentedNotes,
  readNamedCode,
  readPelicanLinks,
  readWikiLinks,
} from './marks.ts';
import { readMdc } from './mdc.ts';
import { readHugoShortcodes, readZolaShortcodes } from './shortcodes.ts';
import type { TransformContext } from './tag-values.ts';

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
function withoutHiddenComments(text: string, syntax: readonly Syntax[]): string {
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

const readers: Record<Syntax, (text: string, context: TransformContext) => string> = {
  liquid: readLiquid,
  hugo: readHugoShortcodes,
  zola: readZolaShortcodes,
  jsx: readJsx,
  expressions: readExpressions,
  admonitions: readAdmonitions,
  wiki: readWikiLinks,
  notices: readNotices,
  attributes: readAttributes,
  alerts: readAlerts,
  pelican: readPelicanLinks,
  mdc: readMdc,
};

/** Converts the first line of a fenced block. Any other code is unchanged. */
function withReadInfo(code: string): string {
  const end = code.indexOf('\n');
  return end < 0 || !/^[ \t>]*(```|~~~)/.test(code)
    ? code
    : readCodeInfo(code.slice(0, end)) + code.slice(end);
}

/**
 * Replaces `<noscript>`, and a picture before it that a script would load, by the picture inside. Drops tracking
 * pixels.
 */
function showNoscriptPictures(text: string): string {
  if (!/<noscript>/i.test(text)) return text;
  return text.replace(
    /(?:<img\s[^<>]{0,1000}?src=["']data:[^<>]*>\s*)?<noscript>\s*(<img\s[^<>]*>)\s*<\/noscript>/gi,
    (whole: string, picture: string) =>
      /width=["']?[01]["'\s/>]|display:\s*none/i.test(picture) ? whole : picture,
  );
}

/** Converts a text of a generator to Markdown. Code is unchanged. */
export function transformBody(
  markdown: string,
  syntax: readonly Syntax[],
  context: Omit<TransformContext, 'verbatim'>,
): string {
  if (syntax.length === 0) return markdown;
  const verbatim = new Verbatim();
  const isPelican = syntax.includes('pelican');
  const visible = withoutHiddenComments(markdown, syntax);
  const written = verbatim.without(isPelican ? readIndentedNotes(visible) : visible);
  const clean = syntax.includes('jsx') ? readCodeComponents(written, { ...context, verbatim }) : written;
  let masked = '';
  let end = 0;
  for (const [from, to] of codeRanges(clean)) {
    // The line end after a block stays, so that the next line still begins a line.
    const last = clean[to - 1] === '\n' ? to - 1 : to;
    masked +=
      clean.slice(end, from) +
      verbatim.add((isPelican ? readNamedCode : withReadInfo)(clean.slice(from, last)));
    end = last;
  }
  masked += clean.slice(end);
  const read = syntax.reduce(
    (text, name) => readers[name](text, { ...context, verbatim }),
    showNoscriptPictures(masked),
  );
  return verbatim.restore(
    read === masked && clean === written && visible === markdown
      ? read
      : read.replace(/\n(?:[ \t]*\n){2,}/g, '\n\n').replace(/^\n+|\n+$/g, ''),
  );
}
