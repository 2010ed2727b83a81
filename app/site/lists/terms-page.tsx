import { encodePath } from '#app/posts/paths.ts';
import type { Term } from '#app/posts/terms/queries.server.ts';
import { CoverImage } from '#app/site/covers/cover-image.tsx';
import { useSite } from '#app/site/shell/use-site.ts';

/** All categories, or all tags, with the number of their posts. */
export function TermsPage({
  heading,
  terms,
  pathOf,
}: {
  heading: string;
  terms: Term[];
  pathOf: (slug: string) => string;
}) {
  const { messages, prefix } = useSite();
  const { lists } = messages;
  return (
    <div className="list-page">
      <header className="page-heading">
        <h1>{heading}</h1>
      </header>
      {terms.length === 0 ? <p className="empty">{lists.empty}</p> : null}
      <ul className="terms">
        {terms.map(({ id, slug, name, description, picture, postCount }, index) => (
          <li key={id}>
            {picture ? (
              <CoverImage
                image={picture}
                sizes="(min-width: 72rem) 380px, (min-width: 44rem) 32vw, 100vw"
                place={index > 2 ? 'far' : 'near'}
              />
            ) : null}
            <a href={encodePath(prefix + pathOf(slug))}>{name}</a>{' '}
            <span className="count">{lists.count(postCount)}</span>
            {description ? <p>{description}</p> : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
