import type { PostLink } from '#app/posts/public-post.ts';
import { PageShell } from './page-shell.tsx';
import { PostLinks } from './post-links.tsx';
import { SearchForm } from './search-form.tsx';
import { useSite } from './use-site.ts';

export type ErrorKind = 'notFound' | 'notAllowed' | 'failed';

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
        {recent.length > 0 ? (
          <section className="error-recent" aria-labelledby="recent">
            <h2 id="recent">{errors.recent}</h2>
            <PostLinks posts={recent} />
          </section>
        ) : null}
        <p>
          <a href="/">{errors.toHome}</a>
        </p>
      </div>
    </PageShell>
  );
}
