import type { PublicAuthor } from '#app/posts/lists/public-post.ts';
import { encodePath } from '#app/posts/paths.ts';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import { SocialLinks } from '#app/site/shell/social-icons.tsx';
import { useSite } from '#app/site/shell/use-site.ts';

/** A post's authors in order, with their descriptions. Left out if it would only repeat the byline. */
export function AuthorCards({ authors }: { authors: PublicAuthor[] }) {
  const { messages, prefix } = useSite();
  if (authors.length < 2 && !authors.some(({ bio, picture, links }) => bio || picture || links)) return null;
  return (
    <section className="author-cards" aria-labelledby="about-authors">
      <h2 id="about-authors">{messages.post.authors(authors.length)}</h2>
      <ul>
        {authors.map(({ username, displayName, bio, picture, links = '' }) => (
          <li key={username ?? displayName} className="author-card">
            {picture ? (
              <AuthorPicture picture={picture} size={68} />
            ) : (
              <span className="author-picture" aria-hidden="true">
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
            <SocialLinks links={links.split('\n')} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A picture without an alternative text, since the name is beside it. `size`: in CSS pixels. */
export function AuthorPicture({ picture, size }: { picture: PublicImage; size: number }) {
  return (
    <img
      className="author-picture"
      src={picture.srcSet.split(' ')[0] || picture.src}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  );
}
