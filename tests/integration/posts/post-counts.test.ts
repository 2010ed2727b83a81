import { expect, it } from 'vitest';
import { postStatuses } from '#app/posts/fields/states.ts';
import {
  countByStatus,
  countPosts,
  countPublishedBefore,
  countByMonth,
} from '#app/posts/lists/counts.server.ts';
import { listPosts } from '#app/posts/lists/queries.server.ts';
import { findWindow } from '#app/posts/lists/rows.server.ts';
import { checkCounts, sumUpCounts } from '#app/publishing/change/rebuild-counts.server.ts';
import { seededRandom } from '#tests/bench/random-posts.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { insertLargeBlog } from '#tests/support/large-blog.ts';
import { recordDatabase } from '#tests/support/recorded-database.ts';

/** Writes, changes and deletes posts and their terms in any order, past everything that could keep counts. */
async function writeAtRandom(app: TestApp): Promise<void> {
  const random = seededRandom(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const users = [(await createUser(app)).id, (await createUser(app)).id];
  const categories = [(await createCategory(app)).id, (await createCategory(app)).id, null];
  const tags: string[] = [];
  for (let made = 0; made < 4; made += 1) tags.push((await createTag(app)).id);
  const state = () => ({
    status: pick(postStatuses),
    publishedAt: random() < 0.2 ? null : new Date(Date.UTC(2025, Math.floor(random() * 20), 3)),
    authorId: pick(users),
    categoryId: pick(categories),
    listedIn: pick(['', '', 'pages', 'de']),
  });
  const posts: string[] = [];
  const writes: (() => Promise<unknown>)[] = [
    async () => posts.push((await createPost(app, { ...state(), tagIds: [pick(tags)] })).id),
    () => app.db.post.updateMany({ where: { id: pick(posts) }, data: state() }),
    () =>
      app.db.post.updateMany({
        where: { categoryId: pick(categories) },
        data: { status: pick(postStatuses) },
      }),
    () => app.db.postTag.deleteMany({ where: { postId: pick(posts) } }),
    () =>
      app.db.postTag
        .upsert({
          where: { postId_tagId: { postId: posts.at(-1)!, tagId: pick(tags.slice(0, 2)) } },
          create: { postId: posts.at(-1)!, tagId: tags[0]! },
          update: { position: 3 },
        })
        .catch(() => {}),
    () => app.db.post.deleteMany({ where: { id: posts.splice(Math.floor(random() * posts.length), 1)[0] } }),
  ];
  for (let made = 0; made < 12; made += 1) await writes[0]!();
  for (let step = 0; step < 60; step += 1) {
    if (posts.length < 4) await writes[0]!();
    await pick(writes)();
  }
  const other = await createTag(app);
  await app.db.postTag.updateMany({ where: { tagId: tags[1] }, data: { tagId: other.id } });
  await app.db.tag.delete({ where: { id: tags[0]! } });
  await app.db.category.delete({ where: { id: categories[0]! } });
}

describeWithApp('the counts that the database keeps', (getApp, dialect) => {
  it('equal the posts after any writes, whoever makes them', async () => {
    const app = getApp();
    await writeAtRandom(app);
    const kept = await checkCounts(app, { repair: false });
    expect(kept).toMatchObject({ different: 0, misplaced: 0 });
    expect(kept.counts).toBeGreaterThan(10);
    await sumUpCounts(app);
    expect(await checkCounts(app, { repair: false })).toEqual(kept);
    expect(await app.db.postCount.count({ where: { part: { not: '' } } })).toBe(0);
    for (const status of postStatuses)
      expect((await countByStatus(app))[status]).toBe(await app.db.post.count({ where: { status } }));
    for (const listedIn of ['', 'pages', 'de'])
      expect(await countPosts(app, { listedIn })).toBe(
        await app.db.post.count({ where: { status: 'published', listedIn } }),
      );
  });

  // The tests' PostgreSQL has no compiler. Debian's has one: the check of an empty site held all writes for 20 seconds.
  it.runIf(dialect === 'postgresql')('are compared without compiling the statement', async () => {
    const app = getApp();
    const { db, recording } = recordDatabase(app.variables.DATABASE_URL!);
    try {
      await checkCounts({ ...app, db }, { repair: false });
      const comparison = recording.statements.findIndex((sql) => sql.includes('WITH kept'));
      expect(comparison).toBeGreaterThan(0);
      expect(recording.statements.slice(0, comparison)).toContain('SET LOCAL jit = off');
    } finally {
      await db.$disconnect();
    }
  });

  it('are found wrong by the check, and right again after its repair', async () => {
    const app = getApp();
    const tag = await createTag(app);
    await createPost(app, { status: 'published', tagIds: [tag.id] });
    await app.db.postCount.updateMany({ where: { list: 'all', month: '' }, data: { posts: 5 } });
    await app.db.tagPost.deleteMany();
    expect(await checkCounts(app, { repair: false })).toMatchObject({
      different: 1,
      misplaced: 1,
      repaired: false,
    });
    expect(await checkCounts(app, { repair: true })).toMatchObject({ repaired: true });
    expect(await checkCounts(app, { repair: true })).toMatchObject({
      different: 0,
      misplaced: 0,
      repaired: false,
    });
    expect(await countPosts(app)).toBe(1);
    expect((await listPosts(app, { scope: { tagId: tag.id }, page: 1, pageSize: 10 }))?.posts).toHaveLength(
      1,
    );
  });

  it('tell how many posts come before an instant in any zone', async () => {
    const app = getApp();
    const times = [
      '2025-12-31T22:30:00Z',
      '2026-01-01T00:30:00Z',
      '2026-01-15T12:00:00Z',
      '2026-01-31T20:00:00Z',
    ];
    for (const time of times) await createPost(app, { status: 'published', publishedAt: new Date(time) });
    const instants = [
      '2025-12-31T22:00:00Z',
      '2025-12-31T23:00:00Z',
      '2026-01-01T05:00:00Z',
      '2026-01-31T21:00:00Z',
      '2027-01-01T00:00:00Z',
    ];
    const counts = await countPublishedBefore(
      app,
      await countByMonth(app),
      instants.map((text) => new Date(text)),
    );
    expect(counts).toEqual([0, 1, 2, 4, 4]);
  });

  it('lead to the same pages, from both ends of a long list', async () => {
    const app = getApp();
    const tag = await createTag(app);
    const ids = await publishDaily(app, 230, tag.id);
    for (const scope of [{}, { tagId: tag.id }])
      for (const page of [1, 20, 21, 22, 23]) {
        const listed = await listPosts(app, { scope, page, pageSize: 10 });
        expect(listed?.posts.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 10, page * 10));
      }
  });

  if (dialect === 'postgresql')
    it('are compared to the end where PostgreSQL takes the tables for empty', async () => {
      const app = getApp();
      await insertLargeBlog(app, { posts: 10_000 });
      // As an autovacuum in the middle of a large import leaves them; nested loops took minutes then.
      const tables = ['posts', 'post_tags', 'tag_posts', 'author_posts', 'sitemap_entries', 'post_counts'];
      await app.db
        .$executeRaw`DELETE FROM pg_statistic USING pg_class WHERE starelid = oid AND relname = ANY(${tables})`;
      await app.db.$executeRaw`UPDATE pg_class SET reltuples = 0 WHERE relname = ANY(${tables})`;
      expect(await checkCounts(app, { repair: false })).toMatchObject({ different: 0, misplaced: 0 });
    });
});

it.each([
  [10, 10, { direction: 'desc', from: new Date('2026-04-01'), skip: 10, take: 10 }],
  [85, 10, { direction: 'asc', from: new Date('2026-03-01'), skip: 5, take: 10 }],
  // Reaches into the older month.
  [95, 10, { direction: 'asc', from: new Date('2026-01-01'), skip: 45, take: 10 }],
  [145, 10, { direction: 'asc', from: new Date('2026-01-01'), skip: 0, take: 5 }],
  [150, 10, null],
])('from %i on, %i posts of a list are found from the nearer end of its months', (offset, limit, found) => {
  const months = [
    { month: '2026-03', posts: 100 },
    { month: '2026-01', posts: 50 },
  ];
  expect(findWindow(months, { offset, limit })).toEqual(found);
});

/** @returns ids, newest first */
async function publishDaily(app: TestApp, days: number, tagId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let day = 0; day < days; day += 1) {
    const publishedAt = new Date(Date.UTC(2026, 9, 30 - day));
    ids.push((await createPost(app, { status: 'published', publishedAt, tagIds: [tagId] })).id);
  }
  return ids;
}
