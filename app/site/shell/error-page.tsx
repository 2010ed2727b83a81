import { escapeAttribute, escapeText } from '#app/platform/text/html.ts';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { messagesFor } from './messages.ts';
import { NOT_FOUND_TEXT_ID } from './not-found.ts';
import { RecentPosts, SearchForm, PageShell } from './shell.tsx';
import { useSite } from './use-site.ts';

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

export type ErrorKind = 'notFound' | 'notAllowed' | 'forbidden' | 'failed';

/**
 * The page of any failure.
 * @param props.recent recent posts to read instead
 * @param props.dashboard for a page of the backend: where its reader can go on
 */
export function ErrorPage({
  kind,
  status,
  recent = [],
  dashboard,
}: {
  kind: ErrorKind;
  status: number;
  recent?: PostLink[];
  dashboard?: string;
}) {
  const { errors } = useSite().messages;
  return (
    <PageShell>
      <div className="error-page">
        <div className="error-text">
          <p className="error-status" aria-hidden="true">
            {status}
          </p>
          <h1>{errors[kind].heading}</h1>
          <p id={kind === 'notFound' ? NOT_FOUND_TEXT_ID : undefined}>{errors[kind].text}</p>
          {kind === 'notFound' && dashboard === undefined ? <SearchForm /> : null}
          <p>
            {dashboard === undefined ? (
              <a href="/">{errors.toHome}</a>
            ) : (
              <a href={dashboard}>{errors.toDashboard}</a>
            )}
          </p>
        </div>
        <RecentPosts posts={recent} />
      </div>
    </PageShell>
  );
}
