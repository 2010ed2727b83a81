import type { App } from '#app/app.ts';
import { newId } from '#app/platform/clock.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import {
  sitemapSource,
  insertAuthorPosts,
  insertSitemapEntries,
} from '#app/publishing/change/public-effects.server.ts';
import { createUser } from './factories.ts';

const PARAGRAPH =
  '<p>The first boat comes in before the light does. You hear it before you see it: a low hum, then the bump of rubber against the quay, then voices that have been awake for hours.</p>\n';
const BODY = PARAGRAPH.repeat(24);
const MINUTE_MS = 60_000;
const BATCH = 500;

/**
 * A blog of many published posts for measurements: one author, ten categories, fifty tags, two tags a post.
 * Nothing of it is in the search index. What other pages show of a post is stored as by a save: without it, the first
 * change of each post would empty the whole page cache.
 * @param options.prefix of every slug and user name, so that a second blog fits beside it; `everyMs` between two posts
 * @returns the slugs, newest first
 */
export async function insertPublishedBlog(
  app: App,
  posts: number,
  { prefix = '', everyMs = MINUTE_MS } = {},
): Promise<string[]> {
  const now = app.clock.now();
  const times = { createdAt: now, updatedAt: now };
  const author = await createUser(app, {
    username: `${prefix}writer`,
    email: `${prefix}writer@example.org`,
    displayName: 'A Writer',
  });
  const terms = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: newId(app.clock),
      name: `${kind} ${index}`,
      slug: `${prefix}${kind}-${index}`,
      ...times,
    }));
  const [categories, tags] = [terms('category', 10), terms('tag', 50)];
  await app.db.category.createMany({ data: categories });
  await app.db.tag.createMany({ data: tags });
  const slugs: string[] = [];
  for (let from = 0; from < posts; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, posts - from) }, (_, index) => {
      const number = from + index;
      const publishedAt = new Date(now.getTime() - (number + 1) * everyMs);
      return {
        id: newId(app.clock),
        slug: `${prefix}post-${number}`,
        title: `Post number ${number} about boats`,
        excerpt: 'What happens on the quay before the city wakes, and who pays for it.',
        body: BODY,
        bodyHtml: BODY,
        wordCount: 800,
        status: 'published',
        hasBeenPublic: true,
        authorId: author.id,
        categoryId: categories[number % categories.length]!.id,
        publishedAt,
        contentUpdatedAt: publishedAt,
        ...times,
      };
    });
    await app.db.post.createMany({ data: batch });
    await app.db.postTag.createMany({
      data: batch.flatMap(({ id }, index) =>
        [0, 7].map((step, position) => ({
          postId: id,
          tagId: tags[(from + index + step) % tags.length]!.id,
          position,
        })),
      ),
    });
    const bodies = new Map(batch.map(({ id }) => [id, BODY]));
    await inTransaction(app.db, async (tx) => {
      const where = { id: { in: [...bodies.keys()] } };
      const published = await tx.post.findMany({ where, select: sitemapSource });
      await insertAuthorPosts(app, tx, await insertSitemapEntries(app, tx, published, bodies));
    });
    slugs.push(...batch.map(({ slug }) => slug));
  }
  await app.db.siteState.updateMany({ data: { contentVersion: { increment: 1 } } });
  return slugs;
}
