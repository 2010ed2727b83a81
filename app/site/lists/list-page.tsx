import type { PostPage } from '#app/posts/lists/queries.server.ts';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import { CoverImage } from '#app/site/covers/cover-image.tsx';
import { AuthorPicture } from '#app/site/posts/author-cards.tsx';
import { SocialLinks } from '#app/site/shell/social-icons.tsx';
import { useSite } from '#app/site/shell/use-site.ts';
import { Pagination } from './pagination.tsx';
import { PostList } from './post-list.tsx';

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

/** The address of a page of a list; the first has no query. */
export function pageHref(path: string, page: number): string {
  return page === 1 ? path : `${path}?page=${page}`;
}
