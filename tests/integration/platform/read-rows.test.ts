import { expect, test } from 'vitest';
import { sql, readRows } from '#app/platform/database/client.server.ts';
import { databaseReason, outageReason } from '#app/platform/database/failure.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';

describeWithApp('rows that the driver reads', (getApp) => {
  test('are those that Prisma gives', async () => {
    const app = getApp();
    const publishedAt = new Date('2026-11-24T08:38:47.779Z');
    await createPost(app, { slug: 'dated', status: 'published', publishedAt });
    await createPost(app, { slug: 'later', status: 'draft' });
    const read = sql`SELECT slug, published_at AS "publishedAt", word_count AS "wordCount", NULL AS absent,
      EXISTS (SELECT 1 FROM posts) AS "hasPosts" FROM posts
      WHERE published_at IS NULL OR published_at >= ${publishedAt} ORDER BY slug LIMIT ${5}`;
    const rows = await readRows(app.db, read);
    expect(rows).toEqual(await app.db.$queryRaw(read));
    expect(rows).toMatchObject([
      { slug: 'dated', publishedAt },
      { slug: 'later', publishedAt: null },
    ]);
  });

  test('within a transaction contain what it has written', async () => {
    const app = getApp();
    const slugs = await app.db.$transaction(async (tx) => {
      await createPost({ ...app, db: tx as typeof app.db }, { slug: 'unseen' });
      return readRows<{ slug: string }>(tx, sql`SELECT slug FROM posts`);
    });
    expect(slugs).toEqual([{ slug: 'unseen' }]);
  });

  test('that cannot be read are an outage with the same reason as in Prisma', async () => {
    const { db } = getApp();
    const missing = sql`SELECT slug FROM posts_of_another_version`;
    await db.$queryRaw(sql`SELECT 1 AS one`);
    const [ours, prismas] = await Promise.all(
      [readRows(db, missing), db.$queryRaw(missing)].map((read) => read.catch((error: unknown) => error)),
    );
    expect(outageReason(ours)).toBe(outageReason(prismas));
    expect(outageReason(ours)).not.toBeNull();
    expect(ours).toHaveProperty('name', 'DriverAdapterError');
    expect(databaseReason(ours)).toContain('posts_of_another_version');
  });
});
