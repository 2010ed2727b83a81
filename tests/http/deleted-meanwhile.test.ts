import { v7 as newUuid } from 'uuid';
import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let editor: Client;

beforeAll(async () => {
  ({ app, editor } = await openSite());
});

const json = { accept: 'application/json' };
const save = { intent: 'save', version: '1', title: 'Tides', slug: 'tides', body: 'Typed for an hour' };

it('deleting from an older version keeps the newer text and shows both', async () => {
  const { id } = await createPost(app, { title: 'Ours', body: 'Opened' });
  await editor.post(`/admin/posts/${id}`, { intent: 'save', version: '1', body: 'Newer' });
  const stale = { intent: 'delete', version: '1', title: 'Ours', body: 'Mine' };
  const inJson = await editor.post(`/admin/posts/${id}`, stale, json);
  expect(inJson.status).toBe(409);
  expect(inJson.json()).toMatchObject({ current: { fields: { body: 'Newer' }, version: 2 } });
  const page = await editor.post(`/admin/posts/${id}`, stale);
  expect(page.status).toBe(409);
  for (const words of ['It was not deleted', 'Newer', 'Mine', 'Delete this version too'])
    expect(page.text).toContain(words);
  expect((await app.db.post.findUniqueOrThrow({ where: { id } })).body).toBe('Newer');
  expect(await app.db.revision.count({ where: { postId: id, kind: 'conflict' } })).toBe(1);

  const form = postForms(page.text).find(({ buttons }) => buttons.some(({ value }) => value === 'delete'))!;
  const deleted = await editor.post(`/admin/posts/${id}`, { ...form.fields, intent: 'delete' });
  expect([deleted.status, deleted.headers.location]).toEqual([302, '/admin/posts']);
  expect(await app.db.post.findUnique({ where: { id } })).toMatchObject({ status: 'trashed' });
});

it.each(['save', 'publish', 'autosave'])(
  '“%s” of a post that was deleted meanwhile keeps what was typed',
  async (intent) => {
    const { id } = await createPost(app, { title: 'Tides', slug: 'tides' });
    await app.db.post.delete({ where: { id } });
    const inJson = await editor.post(`/admin/posts/${id}`, { ...save, intent }, json);
    expect([inJson.status, inJson.json()]).toEqual([
      409,
      { error: { code: 'conflict', message: expect.any(String) as string }, current: null },
    ]);
    const page = await editor.post(`/admin/posts/${id}`, { ...save, intent });
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('This post was deleted')]);
    const form = postForms(page.text).find(({ fields }) => 'body' in fields)!;
    expect(form.action).toBe('/admin/posts/new');
    expect(form.fields).toMatchObject({ title: ['Tides'], slug: ['tides'], body: ['Typed for an hour'] });
    const made = await editor.post(form.action!, { ...form.fields, intent: 'save' });
    expect(made.status).toBe(302);
    const again = made.headers.location!.split('/').at(-1)!;
    expect(again).not.toBe(id);
    expect(await app.db.post.findUniqueOrThrow({ where: { id: again } })).toMatchObject({
      slug: 'tides',
      body: 'Typed for an hour',
      status: 'draft',
    });
    await app.db.post.delete({ where: { id: again } });
  },
);

it.each(['save', 'publish', 'draft', 'autosave'])(
  '“%s” of a new post that is in the trash by now keeps what was typed',
  async (intent) => {
    const id = newUuid();
    await editor.post('/admin/posts/new', { id, title: 'Ebb', intent: 'draft' });
    await editor.post(`/admin/posts/${id}`, { intent: 'delete', version: '1' });
    // The Back button of the browser leads to the form that made it.
    const sent = { id, title: 'Ebb', body: 'Typed for an hour', intent };
    const page = await editor.post('/admin/posts/new', sent);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('Typed for an hour')]);
    expect((await editor.post('/admin/posts/new', sent, json)).status).toBe(409);
  },
);

it('deleting twice leads to the list, and an address that was never an editor’s is not found', async () => {
  const { id } = await createPost(app);
  for (let time = 0; time < 2; time += 1) {
    const { status, headers } = await editor.post(`/admin/posts/${id}`, { intent: 'delete', version: '1' });
    expect([status, headers.location]).toEqual([302, '/admin/posts']);
  }
  expect((await editor.post('/admin/posts/nothing', save)).status).toBe(404);
  expect((await editor.post(`/admin/posts/${newUuid()}`, { title: 'No version' })).status).toBe(404);
});
