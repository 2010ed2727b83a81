import type { HomeSection } from './home-sections.server.ts';
import { PostCards } from './post-cards.tsx';
import { CategoryLink } from './post-meta.tsx';

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
