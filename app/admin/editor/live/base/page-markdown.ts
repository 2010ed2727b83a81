import { markdownLanguage } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import { InlineContext, type MarkdownParser } from '@lezer/markdown';
import { marksBesideJoined, STAR } from '#app/posts/markdown/emphasis.ts';

/** Lets `**` begin and end beside Chinese, Japanese and Korean punctuation where the page does. */
const joinedEmphasis = {
  name: 'JoinedEmphasis',
  before: 'Emphasis',
  parse(context: InlineContext, next: number, start: number): number {
    if (next !== STAR) return -1;
    let end = start + 1;
    while (context.char(end) === STAR) end += 1;
    if (end - start < 2) return -1;
    const before = context.slice(Math.max(context.offset, start - 2), start);
    const { opens, closes } = marksBesideJoined(before, context.slice(end, end + 2), { isStar: true });
    if (!opens && !closes) return -1;
    // Of marks between a letter and punctuation CommonMark allows the other one of the two.
    return context.addDelimiter(InlineContext.emphasisAsterisk, start, end, true, true);
  },
};

const parser = (markdownLanguage.parser as MarkdownParser).configure({ parseInline: [joinedEmphasis] });

/** Markdown with the emphasis of the page. CodeMirror's commands take it for their own, since they have one data facet. */
export const pageMarkdown = new Language(markdownLanguage.data, parser, [], 'markdown');
