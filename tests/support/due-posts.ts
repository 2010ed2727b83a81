import type { App } from '#app/app.ts';
import { newId } from '#app/platform/clock.ts';

/** Many scheduled posts in one statement. @returns their ids in the order of their times */
export async function insertDuePosts(
  app: Pick<App, 'db' | 'clock'>,
  count: number,
  publishedAt: (index: number) => Date,
  slug = (_index: number, id: string) => `due-${id}`,
): Promise<string[]> {
  const now = app.clock.now();
  const posts = Array.from({ length: count }, (_, index) => {
    const id = newId(app.clock);
    return {
      id,
      slug: slug(index, id),
      title: `Due ${index}`,
      status: 'scheduled',
      publishedAt: publishedAt(index),
      contentUpdatedAt: now,
      createdAt: now,
      updatedAt: now,
    };
  });
  await app.db.post.createMany({ data: posts });
  return posts
    .sort((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}
