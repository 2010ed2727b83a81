import { encodePath } from '#app/posts/paths.ts';
import type { PublicAuthor } from '#app/posts/public-post.ts';
import { useSite } from './use-site.ts';

/** Who wrote a post, in order, with what they say of themselves. Shown where there is more to say than the byline does. */
export function AuthorCards({ authors }: { authors: PublicAuthor[] }) {
  const { messages, prefix } = useSite();
  if (authors.length < 2 && !authors.some(({ bio }) => bio)) return null;
  return (
    <section className="author-cards" aria-labelledby="about-authors">
      <h2 id="about-authors">{messages.post.authors(authors.length)}</h2>
      <ul>
        {authors.map(({ username, displayName, bio }) => (
          <li key={username ?? displayName} className="author-card">
            <span className="author-initial" aria-hidden="true">
              {[...displayName][0]?.toLocaleUpperCase()}
            </span>
            <p className="author-name">
              {username === null ? (
                displayName
              ) : (
                <a href={encodePath(`${prefix}/authors/${username}`)}>{displayName}</a>
              )}
            </p>
            {bio ? <p className="author-bio">{bio}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
