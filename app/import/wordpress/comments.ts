import { textOfHtml } from '#app/import/html/to-markdown.ts';
import { orderComments } from '#app/import/model/comments.ts';
import { readSourceDate } from '#app/import/model/date.ts';
import type { SourceComment } from '#app/import/model/post.ts';
import { wordpressToMarkdown } from './html.ts';
import type { WxrComment } from './wxr-item.ts';

/** The approved comments of a post in their order. Spam, pingbacks and comments that wait for approval are left out. */
export function readComments(comments: WxrComment[], warnings: string[]): SourceComment[] {
  const shown = comments.flatMap((comment) => {
    const writtenAt = dateOf(comment);
    if (!isShown(comment) || writtenAt === null) return [];
    const { id, parent, author, content } = comment;
    return [{ id, answers: parent, author: textOfHtml(author), html: content, writtenAt }];
  });
  return orderComments(shown, (html) => wordpressToMarkdown(html).markdown, warnings);
}

/** The number of comments that were not public, and of pingbacks. */
export function hiddenCount(comments: WxrComment[]): number {
  return comments.filter((comment) => !isShown(comment) || dateOf(comment) === null).length;
}

function isShown({ approved, type, content }: WxrComment): boolean {
  return approved === '1' && (type === '' || type === 'comment') && content.trim() !== '';
}

function dateOf({ dateGmt, date }: WxrComment): Date | null {
  const written = [dateGmt, date].find((candidate) => candidate !== '' && !candidate.startsWith('0000'));
  return written === undefined ? null : readSourceDate(`${written}Z`, 'UTC');
}
