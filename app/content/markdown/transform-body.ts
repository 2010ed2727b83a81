import { codeRanges } from '../addresses.ts';
import { Verbatim } from '../verbatim.ts';
import { readAdmonitions, readAlerts, readAttributes } from './block-marks.ts';
import type { Syntax } from './dialects.ts';
import { readJsx } from './jsx.ts';
import { readLiquid } from './liquid-tags.ts';
import { readHugoShortcodes, readZolaShortcodes } from './shortcodes.ts';
import type { TransformContext } from './tag-values.ts';
import { readWikiLinks } from './wiki-links.ts';

const readers: Record<Syntax, (text: string, context: TransformContext) => string> = {
  liquid: readLiquid,
  hugo: readHugoShortcodes,
  zola: readZolaShortcodes,
  jsx: readJsx,
  admonitions: readAdmonitions,
  wiki: readWikiLinks,
  attributes: readAttributes,
  alerts: readAlerts,
};

/** A text of a generator as Markdown. Code stays as it is. */
export function transformBody(
  markdown: string,
  syntax: readonly Syntax[],
  context: Omit<TransformContext, 'verbatim'>,
): string {
  if (syntax.length === 0) return markdown;
  const verbatim = new Verbatim();
  const clean = verbatim.without(markdown);
  let masked = '';
  let end = 0;
  for (const [from, to] of codeRanges(clean)) {
    // The line end behind a block stays, so that the next line still begins a line.
    const last = clean[to - 1] === '\n' ? to - 1 : to;
    masked += clean.slice(end, from) + verbatim.add(clean.slice(from, last));
    end = last;
  }
  masked += clean.slice(end);
  const read = syntax.reduce((text, name) => readers[name](text, { ...context, verbatim }), masked);
  return verbatim.restore(read === masked ? read : read.replace(/\n{3,}/g, '\n\n').replace(/^\n+|\n+$/g, ''));
}
