import type { PostLink } from '#app/posts/lists/public-post.ts';
import { NOT_FOUND_TEXT_ID } from './not-found.ts';
import { RecentPosts } from './post-links.tsx';
import { SearchForm } from './search-form.tsx';
import { PageShell } from './shell.tsx';
import { useSite } from './use-site.ts';

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
