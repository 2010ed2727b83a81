import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#app/platform/database/client.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, describeWithApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { createPost as insertPost } from '#tests/support/factories.ts';

const hour = 3_600_000;
const at = (milliseconds: number) => new Date(new Date(testNow).getTime() + milliseconds);

describe('two triggers that claim the same posts at the same instant (postgresql)', () => {
  it('report disjoint ids, and each post is published once', async () => {
    const app = await createTestApp({ dialect: 'postgresql' });
    const other = { ...app, db: await openDatabase(app.env.database) };
    const ids = await insertDuePosts(app, 150, () => at(-hour));
    const claims = await inOneInstant(app.variables.DATABASE_URL!, ids, () => [
      publishDue(app, 'command'),
      publishDue(other, 'route'),
    ]);
    const reported = claims.flatMap(({ publishedPostIds }) => publishedPostIds);
    expect(reported.sort()).toEqual([...ids].sort());
    expect((await app.db.post.findMany()).every(({ version }) => version === 2)).toBe(true);
    await other.db.$disconnect();
    await app.close();
  });
});

describeWithApp('twenty triggers at once in one process', (getApp) => {
  it('publish, change and archive each post once', async () => {
    const app = getApp();
    const ids = await insertDuePosts(app, 250, (index) => at(-index * 1000));
    const leaving = await insertPost(app, { status: 'published', archiveAt: at(-1) });
    const live = await createPost(app, {
      intent: 'publish',
      fields: { title: 'Old', publishedAt: at(-hour) },
      editorId: null,
    });
    const change = { postId: live.id, version: 1, fields: { title: 'New' }, editorId: null };
    await scheduleUpdate(app, { ...change, changeAt: at(1000) });
    app.clock.advance(1000);
    const results = await Promise.all(Array.from({ length: 20 }, () => publishDue(app, 'route')));
    expect(results.flatMap(({ publishedPostIds }) => publishedPostIds).sort()).toEqual([...ids].sort());
    const slugs = results.flatMap(({ affectedSlugs }) => affectedSlugs);
    expect(slugs).toHaveLength(252);
    expect(new Set(slugs).size).toBe(252);
    expect(slugs).toEqual(expect.arrayContaining([leaving.slug, live.slug]));
    expect(await app.db.sitemapEntry.count()).toBe(251);
    expect(await app.db.publishRun.count({ where: { error: '' } })).toBe(20);
  });
});

/** Holds the rows until every runner waits for them, then lets all of them go in the same instant. */
async function inOneInstant<T>(url: string, ids: string[], start: () => Promise<T>[]): Promise<T[]> {
  const [gate, watcher] = [
    new pg.Client({ connectionString: url }),
    new pg.Client({ connectionString: url }),
  ];
  await gate.connect();
  await watcher.connect();
  await gate.query('BEGIN');
  await gate.query('SELECT id FROM posts WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
  const runs = start();
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await watcher.query<{ count: number }>(waiting)).rows[0]!.count < runs.length)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await gate.query('COMMIT');
  await gate.end();
  await watcher.end();
  return Promise.all(runs);
}
