import type { App } from '#app/app.ts';
import type { Named, PostSummary } from '#app/posts/lists/public-post.ts';
import { listPosts } from '#app/posts/lists/queries.server.ts';
import { categoryPath } from '#app/posts/paths.ts';
import { findCategory } from '#app/posts/terms/queries.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';

const POSTS_PER_SECTION = 3;

/** A category below the list of posts, with its newest ones. */
export interface HomeSection {
  category: Named;
  posts: PostSummary[];
}

/** The sections that the site has chosen. A category without published posts in this list is left out. */
export async function readHomeSections(
  app: Pick<App, 'db' | 'recordKeys' | 'sharedReads'>,
  listedIn: string,
): Promise<HomeSection[]> {
  const sections: HomeSection[] = [];
  for (const slug of await readSetting(app, 'home_sections')) {
    // The category may have another address by now.
    const moved = await app.db.redirect.findUnique({
      where: { path: categoryPath(slug) },
      select: { category: { select: { slug: true } } },
    });
    const category = await findCategory(app, moved?.category?.slug ?? slug, listedIn);
    if (!category) continue;
    const scope = { categoryId: category.id, listedIn };
    const list = await listPosts(app, { scope, page: 1, pageSize: POSTS_PER_SECTION });
    if (list) sections.push({ category: { slug: category.slug, name: category.name }, posts: list.posts });
  }
  return sections;
}
