import type { PostArticle, PostCard } from '#app/posts/lists/public-post.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { encodePath, postPath, tagPath } from '#app/posts/paths.ts';
import { LeadCover, showsCovers, Thumbnail } from '#app/site/covers/cover-image.tsx';
import { isSameDay } from '#app/site/shell/dates.ts';
import { textLanguage, wordsLanguage } from '#app/site/shell/page-language.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { AuthorCards, AuthorPicture } from './author-cards.tsx';
import { PostCards } from './cards.tsx';
import { deferFrames } from './deferred-frames.ts';
import { AuthorLinks, CategoryLink, PostDate } from './meta.tsx';
import { TableOfContents } from './table-of-contents.tsx';
import { Translations } from './translations.tsx';

/** A post: heading, cover, contents, text, tags. `dated`: false for a preview of a post without a time. */
export function ArticleView({ post, dated = true }: { post: PostArticle; dated?: boolean }) {
  const { postStyle } = useSite();
  return (
    <article className="article" {...textLanguage(post.language)}>
      <ArticleHeader post={post} dated={dated} />
      {postStyle === 'none' ? null : <LeadCover of={post} />}
      <TableOfContents headings={post.headings} wordCount={post.wordCount} />
      <div
        className="prose"
        data-signed={post.authors.map(({ displayName }) => displayName).join(', ') || undefined}
        dangerouslySetInnerHTML={{ __html: deferFrames(post.bodyHtml) }}
      />
      <ArticleFooter post={post} shared={dated} />
      <AuthorCards authors={post.authors} />
    </article>
  );
}

function ArticleHeader({ post, dated }: { post: PostArticle; dated: boolean }) {
  const { messages } = useSite();
  return (
    <header className="article-header">
      {post.category ? (
        <p className="kicker">
          <CategoryLink category={post.category} />
        </p>
      ) : null}
      <h1>{post.title}</h1>
      {post.standfirst ? <p className="lede">{post.standfirst}</p> : null}
      <p className="byline">
        {post.authors.length > 0 ? (
          <span className="authors">
            <AuthorPictures authors={post.authors} />
            <AuthorLinks authors={post.authors} />
          </span>
        ) : null}
        {dated ? <PostDate date={post.publishedAt} /> : null}
        <span className="reading-time">{messages.post.readingTime(readingMinutes(post.wordCount))}</span>
      </p>
      <Translations of={post} />
    </header>
  );
}

function AuthorPictures({ authors }: Pick<PostArticle, 'authors'>) {
  if (!authors.some(({ picture }) => picture)) return null;
  return (
    <span className="byline-pictures">
      {authors.map(({ displayName, picture }) =>
        picture ? <AuthorPicture key={displayName} picture={picture} size={28} /> : null,
      )}
    </span>
  );
}

/** `shared`: false for a preview, whose address is not public. */
function ArticleFooter({ post, shared }: { post: PostArticle; shared: boolean }) {
  const { messages, longDate, timeZone, prefix } = useSite();
  const revised = !isSameDay(post.updatedAt, post.publishedAt, timeZone);
  if (post.tags.length === 0 && !revised && !shared) return null;
  return (
    <footer className="article-footer">
      {post.tags.length > 0 ? (
        <ul className="pills" aria-label={messages.tags}>
          {post.tags.map(({ slug, name }) => (
            <li key={slug}>
              <a rel="tag" href={encodePath(prefix + tagPath(slug))}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {revised ? (
        <p className="revised">
          <time dateTime={post.updatedAt.toISOString()}>
            {messages.post.updated(longDate(post.updatedAt))}
          </time>
        </p>
      ) : null}
      {shared ? <Share post={post} /> : null}
    </footer>
  );
}

/** Links that hand the address on, without a script, and the address itself to be copied. */
function Share({ post: { title, slug } }: { post: PostArticle }) {
  const { messages, origin } = useSite();
  const address = origin + encodePath(postPath(slug));
  const text = encodeURIComponent(`${title} ${address}`);
  return (
    <p className="share">
      {messages.post.share}
      <a href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(address)}`}>
        {messages.post.email}
      </a>
      <a href={`https://share.joinmastodon.org/#text=${text}`} rel="noreferrer">
        Mastodon
      </a>
      <input type="url" aria-label={messages.post.address} value={address} readOnly />
    </p>
  );
}

/** The links at the end of a post. */
export function FurtherReading({
  older,
  newer,
  related,
}: {
  older: PostCard | null;
  newer: PostCard | null;
  related: PostCard[];
}) {
  const { post } = useSite().messages;
  if (related.length === 0 && !older && !newer) return null;
  return (
    <aside className="further">
      {related.length > 0 ? (
        <section aria-labelledby="related">
          <h2 id="related">{post.related}</h2>
          <PostCards posts={related} />
        </section>
      ) : null}
      {older || newer ? (
        <nav className="neighbours" aria-label={post.moreStories}>
          {older ? <Neighbour label={post.older} rel="prev" post={older} /> : null}
          {newer ? <Neighbour label={post.newer} rel="next" post={newer} /> : null}
        </nav>
      ) : null}
    </aside>
  );
}

function Neighbour({ label, rel, post }: { label: string; rel: 'prev' | 'next'; post: PostCard }) {
  const site = useSite();
  const cover = showsCovers(site) ? post.cover : null;
  const pictured = cover ? ' neighbour-pictured' : '';
  return (
    <a className={`neighbour neighbour-${rel}${pictured}`} rel={rel} href={encodePath(postPath(post.slug))}>
      {cover ? <Thumbnail image={cover} focus={post.coverFocus} /> : null}
      <span className="neighbour-label">{label}</span>
      <span className="neighbour-title" {...wordsLanguage(post.language, site)}>
        {post.title}
      </span>
    </a>
  );
}
