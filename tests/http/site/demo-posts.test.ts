// A new site can be filled with demo posts, which one click removes, but for what somebody has made their own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerDemoPosts } from '#app/publishing/demo/demo-posts.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import type { Client } from '#tests/support/http-client.ts';
import { createPerson } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let admin: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  admin = server.client();
  await logInAsAdministrator(app, admin);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const counts = async () => ({
  posts: await app.db.post.count(),
  media: await app.db.media.count(),
  categories: await app.db.category.count(),
  tags: await app.db.tag.count(),
  trash: await app.db.trashItem.count(),
});
const home = async () => (await server.client().get('/')).text;

test('only administrators are offered them', async () => {
  const { client: editor } = await createPerson(app, server, 'editor');
  expect((await editor.get('/admin')).text).not.toContain('Add demo posts');
  expect((await editor.post('/admin', { intent: 'add-demo' })).status).toBe(403);
  expect((await admin.get('/admin')).text).toContain('Add demo posts');
  expect((await counts()).posts).toBe(0);
});

test('they are public at once with their pictures, and added once', async () => {
  for (let click = 0; click < 2; click += 1)
    expect((await admin.post('/admin', { intent: 'add-demo' })).status).toBe(302);
  expect(await counts()).toMatchObject({ posts: 10, categories: 3, trash: 0 });
  expect(await home()).toContain('How to read a tide table');
  const post = (await server.client().get('/posts/how-to-read-a-tide-table')).text;
  for (const [, address] of post.matchAll(/<img[^>]* src="(\/uploads\/[^"]+)"/g))
    expect((await server.client().get(address!)).status).toBe(200);
  expect(post).toMatch(/<img[^>]* src="\/uploads\//);
});

test('one click removes them for good, but for a post that somebody has changed', async () => {
  expect((await admin.get('/admin')).text).toContain('Remove demo posts');
  const own = await app.db.post.findUniqueOrThrow({ where: { slug: 'how-to-read-a-tide-table' } });
  await editPost(app, { postId: own.id, intent: 'save', fields: { title: 'My own title' }, editorId: null });
  expect((await admin.post('/admin', { intent: 'remove-demo' })).status).toBe(302);
  expect(await app.db.post.findMany({ select: { title: true, coverMediaId: true } })).toEqual([
    { title: 'My own title', coverMediaId: own.coverMediaId },
  ]);
  expect(await app.db.media.findUnique({ where: { id: own.coverMediaId! } })).not.toBeNull();
  expect(await counts()).toMatchObject({ posts: 1, categories: 1, trash: 0 });
  expect((await admin.get('/admin')).text).not.toContain('Remove demo posts');
  expect((await server.client().get('/posts/a-word-for-every-fog')).status).toBe(404);
  expect(await home()).toContain('My own title');
});

test('samples of quickstart leave with one click, also the one that was published meanwhile, and demo posts come beside them', async () => {
  await app.db.post.deleteMany();
  const samples = [];
  for (const isScheduled of [false, true]) {
    const fields = {
      title: `Sample ${isScheduled}`,
      body: 'Words.',
      publishedAt: new Date(Date.now() - 1_000),
    };
    const intent = isScheduled ? 'schedule' : 'publish';
    samples.push({ ...(await createPost(app, { intent, fields, editorId: null })), isScheduled });
  }
  await registerDemoPosts(app, samples, { userId: null, actor: 'quickstart', address: '' });
  await publishDue(app, 'command');
  const offered = (await admin.get('/admin')).text;
  expect(offered).toContain('Add demo posts');
  expect(offered).toContain('Remove demo posts');
  await admin.post('/admin', { intent: 'add-demo' });
  expect((await counts()).posts).toBe(12);
  await admin.post('/admin', { intent: 'remove-demo' });
  expect(await app.db.post.findMany({ select: { title: true } })).toEqual([]);
});
