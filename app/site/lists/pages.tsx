import type { MetaDescriptor } from '@remix-run/node';
import type { PostPage } from '#app/posts/lists/queries.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import type { Term } from '#app/posts/terms/queries.server.ts';
import { CoverImage } from '#app/site/covers/cover-image.tsx';
import { AuthorPicture, PostCards, CategoryLink } from '#app/site/posts/cards.tsx';
import { termAlternates } from '#app/site/posts/article-head.ts';
import type { SiteFrame } from '#app/site/shell/frame.ts';
import { pageMeta } from '#app/site/shell/head.ts';
import { SocialLinks } from '#app/site/shell/social-icons.tsx';
import { useSite } from '#app/site/shell/use-site.ts';
import { PostList } from './post-list.tsx';
import type { HomeSection } from './posts.server.ts';

/** The posts of one category, tag or author. `path`: percent-encoded, without a query. */
export function ListPage({
  kind,
  name,
  description,
  picture,
  author,
  path,
  feedHref,
  podcastHref,
  list,
  namesCategory,
}: {
  kind: string;
  name: string;
  description: string;
  picture?: PublicImage | null;
  author?: { picture: PublicImage | null; links: string };
  path: string;
  feedHref?: string;
  podcastHref?: string | null;
  list: PostPage;
  namesCategory?: boolean;
}) {
  const { messages } = useSite();
  return (
    <div className="list-page">
      <header className="page-heading">
        {picture ? (
          <CoverImage image={picture} sizes="(min-width: 72rem) 1080px, 100vw" place="lead" />
        ) : null}
        {author?.picture ? <AuthorPicture picture={author.picture} size={100} /> : null}
        <p className="kicker">{kind}</p>
        <h1>{name}</h1>
        {description ? <p className="lede">{description}</p> : null}
        <p className="page-heading-facts">
          {messages.lists.count(list.total)}
          {feedHref ? <a href={feedHref}>{messages.feed}</a> : null}
          {podcastHref ? <a href={podcastHref}>{messages.podcast}</a> : null}
        </p>
        {author ? <SocialLinks links={author.links.split('\n')} /> : null}
      </header>
      <PostList posts={list.posts} namesCategory={namesCategory} />
      <Pagination page={list.page} pageCount={list.pageCount} hrefOf={(page) => pageHref(path, page)} />
    </div>
  );
}

/** What the head of such a page says. */
export function listMeta(
  site: SiteFrame,
  { name, description, image }: { name: string; description: string; image: PublicImage | null },
  data: Parameters<typeof termAlternates>[1] & { list: { page: number } },
): MetaDescriptor[] {
  const head = pageMeta(site, {
    title: name,
    description: description || `${name} · ${site.title}`,
    path: pageHref(data.path, data.list.page),
    image,
    feed: { title: `${name} · ${site.title}`, href: `${data.path}/rss.xml` },
  });
  return [...head, ...termAlternates(site, data)];
}

/** The address of a page of a list; the first has no query. */
export function pageHref(path: string, page: number): string {
  return page === 1 ? path : `${path}?page=${page}`;
}

/** Links to the neighbouring pages. `hrefOf` gives the address of a page. */
export function Pagination({
  page,
  pageCount,
  hrefOf,
}: {
  page: number;
  pageCount: number;
  hrefOf: (page: number) => string;
}) {
  const { lists, post } = useSite().messages;
  if (pageCount <= 1) return null;
  return (
    <nav className="pagination" aria-label={lists.pages}>
      {page > 1 ? (
        <a className="pagination-newer" rel="prev" href={hrefOf(page - 1)}>
          <span aria-hidden="true">←</span> {post.newer}
        </a>
      ) : null}
      <span className="pagination-place">{lists.pageOf(page, pageCount)}</span>
      {page < pageCount ? (
        <a className="pagination-older" rel="next" href={hrefOf(page + 1)}>
          {post.older} <span aria-hidden="true">→</span>
        </a>
      ) : null}
    </nav>
  );
}

/** The site's posts, newest first. `path`: where this list is. */
export function PostsPage({ list, path }: { list: PostPage & { sections: HomeSection[] }; path: string }) {
  const { posts, page, pageCount, sections } = list;
  const { title, description, messages, isOtherLanguage } = useSite();
  const isHome = page === 1 && path === '/';
  return (
    <div className="list-page">
      <header className="page-heading">
        {isHome && !isOtherLanguage ? (
          <h1 className={description ? 'statement' : undefined}>{description || title}</h1>
        ) : (
          <h1>{messages.lists.latest}</h1>
        )}
      </header>
      {posts.length > 0 ? <PostList posts={posts} lead={page === 1} /> : <NoPostsYet />}
      <Pagination page={page} pageCount={pageCount} hrefOf={(other) => pageHref(path, other)} />
      <HomeSections sections={sections} />
    </div>
  );
}

/** For readers of a new site: the feed exists before the first post. */
function NoPostsYet() {
  const { messages, prefix } = useSite();
  return (
    <section className="no-posts-yet">
      <span className="horizon" aria-hidden="true" />
      <p className="empty">{messages.lists.empty}</p>
      <p>
        <a href={`${prefix}/rss.xml`}>{messages.feed}</a>
      </p>
    </section>
  );
}

/** Categories below the list of posts, each with its newest ones. */
function HomeSections({ sections }: { sections: HomeSection[] }) {
  return sections.map(({ category, posts }) => (
    <section key={category.slug} className="home-section">
      <h2>
        <CategoryLink category={category} />
      </h2>
      <PostCards posts={posts} />
    </section>
  ));
}

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
