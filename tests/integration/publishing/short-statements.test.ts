// A statement of hundreds of values blocks the event loop, while SQLite runs it or Prisma translates it.
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease, archivePostInRelease } from '#app/publishing/releases/items.server.ts';
import { rollBackRelease } from '#app/publishing/releases/roll-back.server.ts';
import { publishAllDue } from '#app/publishing/trigger/publish-due.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { dialects } from '#tests/support/databases.ts';
import { createPost } from '#tests/support/factories.ts';
import { recordDatabase } from '#tests/support/recorded-database.ts';

const POSTS = 160;
/** 50 entries of the outbox, which are sent past Prisma; the engine has its index before. */
const MOST_VALUES = 150;
const MINUTE = 60_000;

type RecordedDatabase = ReturnType<typeof recordDatabase>;

/** Creates POSTS posts. @returns their ids */
async function createMany(app: TestApp, name: string, fields: Parameters<typeof createPost>[1]) {
  const ids: string[] = [];
  for (let index = 0; index < POSTS; index += 1)
    ids.push((await createPost(app, { slug: `${name}-${index}`, version: 1, ...fields })).id);
  return ids;
}

/** Single posts that are due at an instant, and a release of drafts and of posts that it archives. */
async function scheduleMany(app: TestApp, { db, recording }: RecordedDatabase, at: Date): Promise<string> {
  const live = { status: 'published', publishedAt: new Date(0), hasBeenPublic: true } as const;
  await createMany(app, 'single', { status: 'scheduled', publishedAt: at });
  await createMany(app, 'leaving', { ...live, archiveAt: at });
  const drafts = await createMany(app, 'draft', { status: 'draft' });
  const ending = await createMany(app, 'ending', live);
  const release = { name: 'Spring', publishAt: at, step: 'schedule', by: byCommand } as const;
  const { id: releaseId } = await createRelease(app, release);
  await addPostsToRelease({ ...app, db }, { releaseId, postIds: drafts, editorId: null });
  // Nor do hundreds of statements keep the event loop busy.
  expect(recording.queries.length).toBeLessThan(POSTS / 4);
  for (const postId of ending)
    await archivePostInRelease(app, { releaseId, postId, version: 1, editorId: null });
  return releaseId;
}

async function countsByStatus(app: TestApp): Promise<Record<string, number>> {
  const counts = await app.db.post.groupBy({ by: ['status'], _count: true });
  return Object.fromEntries(counts.map(({ status, _count }) => [status, _count]));
}

for (const dialect of dialects)
  it(`what is due is published, archived and rolled back with statements of few values (${dialect})`, async () => {
    const app = await createTestApp({ dialect });
    const { db, recording } = recordDatabase(app.variables.DATABASE_URL!);
    try {
      await drainOutbox(app, 'command');
      const soon = new Date(app.clock.now().getTime() + MINUTE);
      const releaseId = await scheduleMany(app, { db, recording }, soon);
      app.clock.set(soon);
      await publishAllDue({ ...app, db }, soon);
      expect(await countsByStatus(app)).toEqual({ archived: 2 * POSTS, published: 2 * POSTS });
      expect(await app.db.auditLog.count({ where: { action: 'post.published' } })).toBe(2 * POSTS);
      const rollbackAt = new Date(soon.getTime() + MINUTE);
      await rollBackRelease({ ...app, db }, { id: releaseId, rollbackAt, by: byCommand });
      app.clock.set(rollbackAt);
      await publishAllDue({ ...app, db }, rollbackAt);
      expect(await app.db.post.count({ where: { status: 'published' } })).toBe(2 * POSTS);
      await drainOutbox({ ...app, db }, 'trigger');
      expect(await app.db.searchOutbox.count()).toBe(0);
      const long = recording.queries.filter(({ args }) => args.length > MOST_VALUES);
      expect(long.map(({ sql, args }) => `${args.length} values: ${sql.slice(0, 200)}`)).toEqual([]);
    } finally {
      await db.$disconnect();
      await app.close();
    }
  });
