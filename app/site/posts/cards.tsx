import type { Named, PublicAuthor, PostCard } from '#app/posts/lists/public-post.ts';
import { categoryPath, encodePath, postPath } from '#app/posts/paths.ts';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import { CoverImage, drawnClass, drawsCovers, showsCovers } from '#app/site/covers/cover-image.tsx';
import { wordsLanguage } from '#app/site/shell/frame.ts';
import { SocialLinks } from '#app/site/shell/social-icons.tsx';
import { useSite } from '#app/site/shell/use-site.ts';

export function PostDate({ date }: { date: Date }) {
  return <time dateTime={date.toISOString()}>{useSite().longDate(date)}</time>;
}

/** All authors in order, each with a link to their page; a guest has none. */
export function AuthorLinks({ authors }: { authors: PublicAuthor[] }) {
  return authors.map((author) => (
    <span key={author.username ?? author.displayName} className="author">
      <AuthorLink author={author} />
    </span>
  ));
}

function AuthorLink({ author }: { author: PublicAuthor }) {
  const { prefix } = useSite();
  if (author.username === null) return author.displayName;
  return (
    <a href={encodePath(`${prefix}/authors/${author.username}`)} rel="author">
      {author.displayName}
    </a>
  );
}

export function CategoryLink({ category }: { category: Named }) {
  const { prefix } = useSite();
  return (
    <a className="category-link" href={encodePath(prefix + categoryPath(category.slug))}>
      {category.name}
    </a>
  );
}

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

/** A few posts below something else, side by side where there is room. */
export function PostCards({ posts }: { posts: PostCard[] }) {
  const site = useSite();
  const hasCovers = showsCovers(site) && posts.some(({ cover }) => cover !== null);
  const isDrawn = hasCovers && drawsCovers(site);
  return (
    <ol className="post-cards">
      {posts.map(({ slug, title, language, publishedAt, cover, coverFocus }) => (
        <li key={slug} className={isDrawn && !cover ? drawnClass(slug) : undefined}>
          {hasCovers && cover ? (
            <CoverImage
              image={cover}
              focus={coverFocus}
              sizes="(min-width: 72rem) 380px, (min-width: 44rem) 32vw, 130px"
              place="far"
            />
          ) : null}
          <h3 {...wordsLanguage(language, site)}>
            <a href={encodePath(postPath(slug))}>{title}</a>
          </h3>
          <PostDate date={publishedAt} />
        </li>
      ))}
    </ol>
  );
}
