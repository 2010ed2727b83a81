import type { PageLink } from '#app/posts/lists/pages.server.ts';
import type { PostArticle, PostCard } from '#app/posts/lists/public-post.ts';
import type { Heading } from '#app/posts/markdown/decorate.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { encodePath, postPath, tagPath } from '#app/posts/paths.ts';
import { LeadCover, showsCovers, Thumbnail } from '#app/site/covers/cover-image.tsx';
import { isSameDay } from '#app/site/shell/dates.ts';
import { languageName, textLanguage, wordsLanguage } from '#app/site/shell/frame.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { oneOfEachLanguage } from './article-head.ts';
import { AuthorCards, AuthorPicture, PostCards, AuthorLinks, CategoryLink, PostDate } from './cards.tsx';

/** As `posts/markdown/embeds.ts` writes it into stored texts. */
const FRAME = /<iframe src="([^"]*)" title="([^"]*)"[^>]*><\/iframe>/g;

/**
 * A text whose frames load only when a reader opens their facades, even without scripts: a browser then ignores
 * `loading="lazy"`. Without scripts the parser reads the content of `noscript` as elements. The frame becomes content
 * of a `template`, which is never loaded, and a link leads to its page. With scripts the same content is plain text,
 * and the parser skips the two end tags after the frame.
 */
function deferFrames(html: string): string {
  return html.includes('<iframe ')
    ? html.replace(
        FRAME,
        (frame, address: string, title: string) =>
          `<noscript><a href="${address}" rel="external noopener">${title}</a><template></noscript>${frame}</template></noscript>`,
      )
    : html;
}

/** A shorter post needs no table of contents. */
const LONG_POST_WORDS = 600;
const MIN_HEADINGS = 3;

/** Links to the two upper levels of headings; nothing for short posts. */
function TableOfContents({ headings, wordCount }: { headings: Heading[]; wordCount: number }) {
  const { post } = useSite().messages;
  // Authors skip levels: the two uppermost levels that the post has count.
  const [top, second = top] = [...new Set(headings.map(({ depth }) => depth))].sort((a, b) => a - b);
  const shown = headings.filter(({ depth }) => depth === top || depth === second);
  if (shown.length < MIN_HEADINGS || wordCount < LONG_POST_WORDS) return null;
  return (
    <nav className="contents" aria-label={post.contents}>
      <details>
        <summary>{post.contents}</summary>
        <ol>
          {shown.map(({ id, depth, text }) => (
            <li key={id} className={depth === top ? undefined : 'contents-inner'}>
              <a href={`#${encodeURIComponent(id)}`}>{text}</a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

/** Links to the same text in other languages, each under its language's own name. */
function Translations({ of: { slug: ownSlug, translations } }: { of: PostArticle }) {
  const { messages, siteLanguage } = useSite();
  const texts = oneOfEachLanguage(translations, ownSlug, siteLanguage);
  if (texts.length < 2) return null;
  return (
    <ul className="translations" aria-label={messages.translations}>
      {texts.map(({ slug, path, language }) => (
        <li key={slug}>
          {slug === ownSlug ? (
            <span aria-current="true" lang={language}>
              {languageName(language)}
            </span>
          ) : (
            <a href={encodePath(path)} hrefLang={language} lang={language} rel="alternate">
              {languageName(language)}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

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

/** A page: its breadcrumbs, its text and links to its subpages. No date and no author. */
export function PageView({
  page,
  above = [],
  below = [],
}: {
  page: PostArticle;
  above?: PageLink[];
  below?: PageLink[];
}) {
  const { messages } = useSite();
  return (
    <article className="article article-page" {...textLanguage(page.language)}>
      <header className="article-header">
        {above.length > 0 ? (
          <nav className="kicker" aria-label={messages.breadcrumb}>
            {above.map(({ slug, title }) => (
              <a key={slug} href={encodePath(slug)}>
                {title}
              </a>
            ))}
          </nav>
        ) : null}
        <h1>{page.title}</h1>
        <Translations of={page} />
      </header>
      <LeadCover of={page} />
      <TableOfContents headings={page.headings} wordCount={page.wordCount} />
      <div className="prose" dangerouslySetInnerHTML={{ __html: deferFrames(page.bodyHtml) }} />
      {below.length > 0 ? (
        <nav className="pages-below" aria-label={messages.pagesBelow}>
          <ul>
            {below.map(({ slug, title }) => (
              <li key={slug}>
                <a href={encodePath(slug)}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </article>
  );
}
