// PostgreSQL ends one of two transactions that wait for each other. Changes lock releases first, then posts and terms.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES_THAT_NAME_MEDIA } from '#app/publishing/media/change.server.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { createTerm, saveTerm } from '#app/publishing/terms/save.server.ts';
import { deletePost } from '#app/publishing/trash/purge.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { scheduleRelease } from '#tests/support/releases.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ dialect: 'postgresql' });
  const { id } = await scheduleRelease(app, 5);
  await app.db.release.update({ where: { id }, data: { problem: 'Something.' } });
});
afterAll(() => app?.close());

const draft = () => createPost(app, { intent: 'save', fields: { title: 'Draft' }, editorId: null });

/** Locks the tables one by one, as the replacement of a picture does. The change waits for the first one meanwhile. */
async function replaceDuring(change: () => Promise<unknown>, [first, ...others]: string[]): Promise<void> {
  const [replacement, watcher] = [1, 2].map(
    () => new pg.Client({ connectionString: app.variables.DATABASE_URL }),
  );
  await replacement!.connect();
  await watcher!.connect();
  await replacement!.query('BEGIN');
  // The transaction with the shorter wait ends if each waits for the other.
  await replacement!.query(`SET LOCAL deadlock_timeout = '10ms'`);
  await replacement!.query(`LOCK TABLE ${first} IN EXCLUSIVE MODE`);
  const changed = change();
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await watcher!.query<{ count: number }>(waiting)).rows[0]!.count === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const locked = await replacement!.query(`LOCK TABLE ${others.join(', ')} IN EXCLUSIVE MODE`).then(
    () => null,
    (error: Error) => error.message,
  );
  await replacement!.query('ROLLBACK');
  await replacement!.end();
  await watcher!.end();
  await changed;
  expect(locked).toBeNull();
}

describe('while a picture is replaced (postgresql)', () => {
  it('a draft gets another address', async () => {
    const { id: postId } = await draft();
    const save = { postId, intent: 'save', fields: { slug: 'elsewhere' }, editorId: null } as const;
    await replaceDuring(() => editPost(app, save), TABLES_THAT_NAME_MEDIA);
  });

  it('a post is deleted permanently', async () => {
    const { id: postId } = await draft();
    await replaceDuring(() => deletePost(app, { postId }), TABLES_THAT_NAME_MEDIA);
  });

  it('a category gets another address', async () => {
    const fields = { name: 'Sea', slug: 'sea', description: '' };
    const { id } = await createTerm(app, 'category', fields);
    const save = () => saveTerm(app, 'category', id, { ...fields, slug: 'ocean' });
    await replaceDuring(save, [...TABLES_THAT_NAME_MEDIA, 'categories']);
  });

  it('a save ends unsaved changes', async () => {
    const { id: editorId } = await createUser(app);
    const { id: postId } = await createPost(app, { intent: 'publish', fields: { title: 'Live' }, editorId });
    await saveAutosave(app, { postId, editorId, version: 1, fields: { body: 'Typed' } });
    const save = { postId, intent: 'save', fields: { body: 'Saved' }, editorId } as const;
    await replaceDuring(() => editPost(app, save), TABLES_THAT_NAME_MEDIA.slice(1));
  });
});
