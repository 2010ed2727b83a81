import { readCodeInfo } from '#app/import/html/code-info.ts';
import { Verbatim } from '#app/import/html/verbatim.ts';
import type { Syntax } from '#app/import/markdown/dialects/dialects.ts';
import { codeRanges } from '#app/posts/markdown/addresses.ts';
import { readAdmonitions, readAlerts, readAttributes, readNotices } from './block-marks.ts';
import { withoutHiddenComments } from './hidden-comments.ts';
import { readCodeComponents } from './jsx-components.ts';
import { readExpressions, readJsx } from './jsx.ts';
import { readLiquid } from './liquid-tags.ts';
import { readMdc } from './mdc.ts';
import { readIndentedNotes, readNamedCode, readPelicanLinks } from './pelican-body.ts';
import { readHugoShortcodes, readZolaShortcodes } from './shortcodes.ts';
import type { TransformContext } from './tag-values.ts';
import { readWikiLinks } from './wiki-links.ts';

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
