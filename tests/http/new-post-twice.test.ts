import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#app/platform/clock.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;

beforeAll(async () => {
  app = await createTestApp({ now: new Date(), variables: { OUTBOUND_ALLOW: '127.0.0.1' } });
  server = await startServer({ env: app.variables });
  editor = server.client();
  await logInAsAdministrator(app, editor);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const rowOf = (id: string) => app.db.post.findUniqueOrThrow({ where: { id } });
const opened = (fields: Fields) => ({ id: newId(app.clock), body: 'Once.', tags: 'one, two', ...fields });

it.each(['save', 'publish'])(
  'the form of a new post that is sent twice (%s) makes one version, so that its page is not stale',
  async (intent) => {
    const title = `Twice, ${intent}`;
    const form = opened({ title, intent });
    const ids = await Promise.all([createPostByForm(editor, form), createPostByForm(editor, form)]);
    expect(ids).toEqual([form.id, form.id]);
    expect(await createPostByForm(editor, form)).toBe(form.id);
    expect(await rowOf(form.id)).toMatchObject({ version: 1, body: 'Once.' });
    const published = { action: 'post.published', subject: { contains: title } };
    expect(await app.db.auditLog.count({ where: published })).toBe(intent === 'publish' ? 1 : 0);
  },
);

it('another text with the same form is an edit of the post that it made', async () => {
  const form = opened({ title: 'Typed on', intent: 'save' });
  await createPostByForm(editor, form);
  await createPostByForm(editor, { ...form, body: 'Twice.' });
  expect(await rowOf(form.id)).toMatchObject({ version: 2, body: 'Twice.' });
});

it('the autosave of a page that its own form leaves changes nothing that the form has saved', async () => {
  const form = opened({ title: 'Left', slug: '', intent: 'save' });
  await createPostByForm(editor, form);
  const left = await editor.post('/admin/posts/new', { ...form, intent: 'autosave' });
  expect([left.status, left.json()]).toMatchObject([200, { saved: 'post', version: 1 }]);
  expect(await rowOf(form.id)).toMatchObject({ version: 1, slug: 'left' });
  const cleared = { ...form, body: '', intent: 'autosave' };
  expect((await editor.post('/admin/posts/new', cleared)).json()).toMatchObject({ version: 2 });
  expect(await rowOf(form.id)).toMatchObject({ version: 2, body: '' });
});

it('a reload after adding a webhook adds no other one, and shows the secret no more', async () => {
  const [, id] = /name="id" value="([^"]+)"/.exec((await editor.get('/admin/webhooks/new')).text)!;
  const fields = {
    id: id!,
    intent: 'save',
    name: 'Static',
    url: 'http://127.0.0.1:9/',
    events: 'post.published',
  };
  const first = await editor.post('/admin/webhooks/new', fields);
  expect([first.status, first.text.includes('whsec_')]).toEqual([200, true]);
  const again = await editor.post('/admin/webhooks/new', fields);
  expect([again.status, again.headers.location]).toEqual([302, `/admin/webhooks/${id}`]);
  expect(await app.db.webhook.count()).toBe(1);
});
