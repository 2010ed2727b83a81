import { encodePath } from '#app/posts/paths.ts';
import type { PublicAuthor } from '#app/posts/public-post.ts';
import { SocialLink } from './social-icons.tsx';
import { useSite } from './use-site.ts';

/** Who wrote a post, in order, with what they say of themselves. Shown where there is more to say than the byline does. */
export function AuthorCards({ authors }: { authors: PublicAuthor[] }) {
  const { messages, prefix } = useSite();
  if (authors.length < 2 && !authors.some(({ bio, picture, links }) => bio || picture || links)) return null;
  return (
    <section className="author-cards" aria-labelledby="about-authors">
      <h2 id="about-authors">{messages.post.authors(authors.length)}</h2>
      <ul>
        {authors.map(({ username, displayName, bio, picture, links }) => (
          <li key={username ?? displayName} className="author-card">
            {picture ? (
              <img
                className="author-initial"
                src={picture.srcSet.split(' ')[0] || picture.src}
                alt=""
                width={44}
                height={44}
                loading="lazy"
                decoding="async"
              />
            ) : (
              <span className="author-initial" aria-hidden="true">
                {[...displayName][0]?.toLocaleUpperCase()}
              </span>
            )}
            <p className="author-name">
              {username === null ? (
                displayName
              ) : (
                <a href={encodePath(`${prefix}/authors/${username}`)}>{displayName}</a>
              )}
            </p>
            {bio ? <p className="author-bio">{bio}</p> : null}
            {links ? (
              <p className="author-links">
                {links.split('\n').map((href) => (
                  <SocialLink key={href} href={href} />
                ))}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
