// Two changes at the same moment on PostgreSQL, each fine by itself: the second one sees what the first has done.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say } from '#app/platform/message.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import {
  publish,
  publishPost,
  readPost,
  rollBack,
  saveDraft,
  scheduleRelease,
  keepRedirectInRelease,
} from '#tests/support/releases.ts';

let app: TestApp;
let watcher: pg.Client;
const connect = async () => {
  const client = new pg.Client({ connectionString: app.variables.DATABASE_URL });
  await client.connect();
  return client;
};
beforeAll(async () => {
  app = await createTestApp({ dialect: 'postgresql' });
  watcher = await connect();
});
afterAll(async () => {
  await watcher?.end();
  await app?.close();
});

const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Starts changes while a statement of another session is not committed, and commits it when all of them wait. */
async function during<T>([statement, ...values]: [string, ...unknown[]], start: () => Promise<T>[]) {
  const other = await connect();
  await other.query('BEGIN');
  await other.query(statement, values);
  const changes = start();
  const ended = Promise.allSettled(changes);
  await expect
    .poll(async () => (await watcher.query<{ count: number }>(WAITING)).rows[0]!.count)
    .toBe(changes.length);
  await other.query('COMMIT');
  await other.end();
  return ended;
}

/** Both changes have read and written what they need, and neither is committed. */
const atOnce = <T>(...changes: [() => Promise<T>, () => Promise<T>]) =>
  during<T>(['SELECT id FROM site_state FOR UPDATE'], () => changes.map((change) => change()));

const trash = (id: string): [string, string] => [
  `UPDATE posts SET status = 'trashed', version = version + 1 WHERE id = $1`,
  id,
];

const editorId = null;
const withDrafts = async (minutes: number, ...slugs: string[]) => {
  const release = await scheduleRelease(app, minutes, slugs[0]);
  const posts = await Promise.all(slugs.map((slug) => saveDraft(app, slug)));
  const postIds = posts.map(({ id }) => id);
  await addPostsToRelease(app, { releaseId: release.id, postIds, editorId });
  return { release, postIds };
};
const redirect = async (from: string, to: string) => {
  const { id } = await scheduleRelease(app, 60, from);
  await keepRedirectInRelease(app, { releaseId: id, editorId, from, to });
  return id;
};
const outcomes = (ended: PromiseSettledResult<unknown>[]) => ended.map(({ status }) => status).sort();

describe('a release whose post is trashed while it goes out', () => {
  it('is published by a person: nothing of it goes out', async () => {
    const { release, postIds } = await withDrafts(60, 'left', 'kept');
    const [ended] = await during(trash(postIds[0]!), () => [publish(app, release.id)]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { message: '“left” is in the trash.' } });
    expect(await readPost(app, { id: postIds[1]! })).toMatchObject({ status: 'draft' });
  });

  it('is published by the trigger: it is blocked, and says why', async () => {
    const { release, postIds } = await withDrafts(5, 'gone', 'waits');
    app.clock.advance(6 * 60_000);
    const [ended] = await during(trash(postIds[0]!), () => [publishDue(app, 'command')]);
    expect(ended).toMatchObject({ status: 'fulfilled', value: { publishedCount: 0 } });
    expect(await app.db.release.findUnique({ where: { id: release.id } })).toMatchObject({
      status: 'scheduled',
      problem: toStored(say('“{title}” is in the trash.', { title: 'gone' })),
    });
    expect(await readPost(app, { id: postIds[1]! })).toMatchObject({ status: 'draft' });
  });
});

describe('an address that two changes take at once is of one of them', () => {
  it('a post and a redirect', async () => {
    const { id: postId } = await publishPost(app, 'harbour');
    const releaseId = await redirect('/posts/quay', '/posts/harbour');
    const { id: other } = await publishPost(app, 'pier');
    const move = { postId: other, intent: 'save', fields: { slug: 'quay' }, editorId } as const;
    const ended = await atOnce<unknown>(
      () => editPost(app, move),
      () => publish(app, releaseId),
    );
    expect(outcomes(ended)).toEqual(['fulfilled', 'rejected']);
    const row = await app.db.redirect.findUnique({ where: { path: '/posts/quay' } });
    const isPost = (await readPost(app, { id: other }))!.slug === 'quay';
    expect(row === null ? isPost : !isPost && row.postId === postId).toBe(true);
  });

  it('a page and the backend', async () => {
    const page = { type: 'page', title: 'Office', slug: 'office' } as const;
    const ended = await atOnce<unknown>(
      () => createPost(app, { intent: 'publish', fields: page, editorId }),
      () => changeSettings(app, { admin_path: 'office' }),
    );
    expect(outcomes(ended)).toEqual(['fulfilled', 'rejected']);
  });
});

it('a release that two people roll back at once is rolled back once', async () => {
  const { release } = await withDrafts(60, 'fresh');
  await publish(app, release.id);
  const back = () => rollBack(app, release.id);
  const ended = await atOnce<unknown>(back, back);
  expect(outcomes(ended)).toEqual(['fulfilled', 'rejected']);
  expect(await app.db.release.count({ where: { rollbackOfId: release.id } })).toBe(1);
  await expect(rollBack(app, release.id)).rejects.toThrow('This release is rolled back already.');
});
