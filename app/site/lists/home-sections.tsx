import { PostCards } from '#app/site/posts/cards.tsx';
import { CategoryLink } from '#app/site/posts/meta.tsx';
import type { HomeSection } from './home-sections.server.ts';

/** Categories below the list of posts, each with its newest ones. */
export function HomeSections({ sections }: { sections: HomeSection[] }) {
  return sections.map(({ category, posts }) => (
    <section key={category.slug} className="home-section">
      <h2>
        <CategoryLink category={category} />
      </h2>
      <PostCards posts={posts} />
    </section>
  ));
}
