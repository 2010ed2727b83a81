import { shorten } from '#app/export/excerpt-of.ts';
import { COMMENTS_MAX, type SourceComment } from './post.ts';

const TEXT_MAX = 50_000;
const NAME_MAX = 200;

/** A public comment as an export has it. */
export interface DatedComment {
  /** Unique within its post. Numbers are in the order of writing. */
  id: string;
  /** The id of the comment that it answers; `''` without one. */
  answers: string;
  /** Plain text. */
  author: string;
  html: string;
  writtenAt: Date;
}

/**
 * The comments of a post in their order, each after the one that it answers.
 * @param toMarkdown converts the source's HTML
 * @param warnings gets one when the post has too many
 */
export function orderComments(
  comments: DatedComment[],
  toMarkdown: (html: string) => string,
  warnings: string[],
): SourceComment[] {
  if (comments.length > COMMENTS_MAX)
    warnings.push(`A post has at most 5,000 comments: ${comments.length - COMMENTS_MAX} left out.`);
  const ordered = comments
    .sort((a, b) => a.writtenAt.getTime() - b.writtenAt.getTime() || Number(a.id) - Number(b.id) || 0)
    .slice(0, COMMENTS_MAX);
  const positions = new Map(ordered.map(({ id }, position) => [id, position]));
  return ordered.map(({ author, html, answers, writtenAt }, position) => {
    const answered = positions.get(answers);
    return {
      parent: answered !== undefined && answered < position ? answered : null,
      name: shorten(author, NAME_MAX),
      text: toMarkdown(withPictureLinks(shorten(html, TEXT_MAX))),
      writtenAt,
    };
  });
}

// A picture in a comment becomes a link: readers would load it from another site.
function withPictureLinks(html: string): string {
  return html.replace(/<img[^<>]{0,1000}?\ssrc\s*=\s*["']([^"'<>]+)["'][^<>]*>/gi, '<a href="$1">$1</a>');
}
