import { textOfHtml } from '../html-to-markdown.ts';
import { COMMENTS_MAX, type SourceComment } from '../source-post.ts';
import { readSourceDate } from '../source-date.ts';
import { shorten } from '../excerpt-of.ts';
import type { WxrComment } from './wxr-item.ts';
import { wordpressToMarkdown } from './wordpress-html.ts';

const TEXT_MAX = 50_000;

/**
 * The approved comments of a post in their order, each after the one that it answers; spam, pingbacks and what waits
 * are left out.
 */
export function readComments(comments: WxrComment[], warnings: string[]): SourceComment[] {
  const dated = comments.flatMap((comment) => {
    const writtenAt = dateOf(comment);
    return isShown(comment) && writtenAt !== null ? [{ ...comment, writtenAt }] : [];
  });
  if (dated.length > COMMENTS_MAX)
    warnings.push(`A post has at most 5,000 comments: ${dated.length - COMMENTS_MAX} left out.`);
  const ordered = dated
    .sort((a, b) => a.writtenAt.getTime() - b.writtenAt.getTime() || Number(a.id) - Number(b.id))
    .slice(0, COMMENTS_MAX);
  const positions = new Map(ordered.map(({ id }, position) => [id, position]));
  return ordered.map(({ author, content, parent, writtenAt }, position) => {
    const answered = positions.get(parent);
    return {
      parent: answered !== undefined && answered < position ? answered : null,
      name: shorten(textOfHtml(author), 200),
      text: textOf(content),
      writtenAt,
    };
  });
}

/** The number of comments that were not public, and of pingbacks. */
export function hiddenCount(comments: WxrComment[]): number {
  return comments.filter((comment) => !isShown(comment) || dateOf(comment) === null).length;
}

function isShown({ approved, type, content }: WxrComment): boolean {
  return approved === '1' && (type === '' || type === 'comment') && content.trim() !== '';
}

function dateOf({ dateGmt, date }: WxrComment): Date | null {
  const written = [dateGmt, date].find((one) => one !== '' && !one.startsWith('0000'));
  return written === undefined ? null : readSourceDate(`${written}Z`, 'UTC');
}

// A picture in a comment would be loaded from anywhere: its address stays.
function textOf(content: string): string {
  const linked = shorten(content, TEXT_MAX).replace(
    /<img[^>]*\ssrc\s*=\s*["']([^"']+)["'][^>]*>/gi,
    '<a href="$1">$1</a>',
  );
  return wordpressToMarkdown(linked).markdown;
}
