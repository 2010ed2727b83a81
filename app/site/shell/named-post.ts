import { escapeAttribute, escapeText } from '#app/platform/text/html.ts';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { messagesFor } from './messages.ts';
import { NOT_FOUND_TEXT_ID } from './not-found.ts';

/** Adds the link to a post to the page, which is rendered once for all addresses. */
export function withNamedPost(
  page: string,
  { slug, title }: Pick<PostLink, 'slug' | 'title'>,
  language: string,
): string {
  const [before = '', after = ''] = messagesFor(language).errors.named.split('{title}');
  const href = escapeAttribute(encodePath(postPath(slug)));
  const link = `${escapeText(before)}<a href="${href}">${escapeText(title)}</a>${escapeText(after)}`;
  return page.replace(
    new RegExp(`<p id="${NOT_FOUND_TEXT_ID}">[^<]*</p>`),
    (text) => `${text}<p class="named-post">${link}</p>`,
  );
}
