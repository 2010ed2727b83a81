import { encodePath, postPath } from '#app/posts/paths.ts';
import { CoverImage } from './cover-image.tsx';
import type { HomeSection } from './home-sections.server.ts';
import { CategoryLink, PostDate } from './post-meta.tsx';

/** Categories below the list of posts, each with its newest ones. */
export function HomeSections({ sections }: { sections: HomeSection[] }) {
  return sections.map(({ category, posts }) => (
    <section key={category.slug} className="home-section">
      <h2>
        <CategoryLink category={category} />
      </h2>
      <ol>
        {posts.map((post) => (
          <li key={post.id}>
            {post.cover ? (
              <CoverImage
                image={post.cover}
                focus={post.coverFocus}
                sizes="(min-width: 72rem) 380px, (min-width: 44rem) 32vw, 100vw"
                place="far"
              />
            ) : null}
            <h3>
              <a href={encodePath(postPath(post.slug))}>{post.title}</a>
            </h3>
            <p className="teaser-meta">
              <PostDate date={post.publishedAt} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  ));
}
