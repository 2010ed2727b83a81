import type { PostPage } from '#app/posts/lists/queries.server.ts';
import { PostCards } from '#app/site/posts/cards.tsx';
import { CategoryLink } from '#app/site/posts/meta.tsx';
import { useSite } from '#app/site/shell/use-site.ts';
import type { HomeSection } from './home-sections.server.ts';
import { pageHref } from './list-page.tsx';
import { Pagination } from './pagination.tsx';
import { PostList } from './post-list.tsx';

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
