import { htmlToMarkdown, type ConvertedHtml } from '#app/import/html/to-markdown.ts';
import type { GhostPost } from './export-file.ts';
import { readLexical } from './lexical.ts';
import { readMobiledoc } from './mobiledoc.ts';
import type { Segment } from './segment.ts';

/** Ghost's placeholder for the address of the site. */
const placeholder = /__GHOST_URL__/g;

/**
 * A post's text: its HTML, else its Lexical or Mobiledoc document.
 * @throws AppError `invalid_input` for HTML or a document that cannot be read.
 */
export function ghostBody(post: GhostPost): ConvertedHtml {
  const segments: Segment[] =
    post.html.trim() !== ''
      ? [{ html: post.html }]
      : post.lexical.trim() !== ''
        ? readLexical(post.lexical)
        : post.mobiledoc.trim() !== ''
          ? readMobiledoc(post.mobiledoc)
          : [];
  const warnings = new Set<string>();
  for (const segment of segments) if ('lost' in segment) warnings.add(segment.lost!);
  const parts = joined(segments).map((segment) => {
    if ('markdown' in segment) return segment.markdown.replace(placeholder, '').trim();
    const converted = htmlToMarkdown(segment.html.replace(placeholder, ''));
    for (const warning of converted.warnings) warnings.add(warning);
    return converted.markdown;
  });
  return { markdown: parts.filter((part) => part !== '').join('\n\n'), warnings: [...warnings] };
}

/** Joins neighbours of the same kind: footnotes and anchors link one paragraph to another. */
function joined(segments: Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    if (last && 'html' in last && 'html' in segment) last.html += `\n${segment.html}`;
    else result.push({ ...segment });
  }
  return result;
}
