import type { PostLink } from '#app/posts/public-post.ts';
import { PageShell } from './page-shell.tsx';
import { RecentPosts } from './post-links.tsx';
import { SearchForm } from './search-form.tsx';
import { useSite } from './use-site.ts';

export type ErrorKind = 'notFound' | 'notAllowed' | 'forbidden' | 'failed';

/** The page of any failure. `recent`: recent posts to read instead. */
export function ErrorPage({
  kind,
  status,
  recent = [],
}: {
  kind: ErrorKind;
  status: number;
  recent?: PostLink[];
}) {
  const { errors } = useSite().messages;
  return (
    <PageShell>
      <div className="error-page">
        <p className="error-status" aria-hidden="true">
          {status}
        </p>
        <h1>{errors[kind].heading}</h1>
        <p>{errors[kind].text}</p>
        {kind === 'notFound' ? <SearchForm /> : null}
        <RecentPosts posts={recent} />
        <p>
          <a href="/">{errors.toHome}</a>
        </p>
      </div>
    </PageShell>
  );
}
