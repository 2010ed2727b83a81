import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { postForms } from '#tests/support/html-form.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let editor: Client;

beforeAll(async () => {
  ({ app, editor } = await openSite());
});

async function postWithUpdate(fields: string) {
  const post = await createPost(app, { status: 'published' });
  const now = new Date();
  const dueAt = new Date(now.getTime() + 3_600_000);
  await app.db.scheduledUpdate.create({ data: { postId: post.id, fields, dueAt, createdAt: now } });
  return `/admin/posts/${post.id}`;
}

it.each(['not JSON', '{"title": 5}', '[]'])(
  'a post whose scheduled update is unreadable (%s) opens, says so, and can drop it',
  async (stored) => {
    const page = await postWithUpdate(stored);
    const opened = await editor.get(page);
    expect([opened.status, opened.text]).toEqual([200, expect.stringContaining('can’t be read')]);
    expect(opened.text).toContain('Drop the scheduled update');
    const saved = await editor.post(page, { title: 'Saved all the same', version: '1' });
    expect(saved.status).toBe(302);
    const dropped = await editor.post(page, { intent: 'cancel-change', version: '2' });
    expect(dropped.status).toBe(302);
    expect((await editor.get(page)).text).not.toContain('can’t be read');
    expect(await app.db.scheduledUpdate.count()).toBe(0);
  },
);

it('an unreadable update can be replaced by another', async () => {
  const page = await postWithUpdate('not JSON');
  const changeAt = new Date(Date.now() + 7_200_000).toISOString().slice(0, 16);
  const form = { intent: 'prepare', title: 'Another', version: '1', changeAt };
  expect((await editor.post(page, form)).status).toBe(302);
  const shown = (await editor.get(page)).text;
  expect(shown).toContain('An update goes live at');
  expect(shown).toContain('It changes title.');
});

it('the text of a scheduled update can be opened with its time, and changed', async () => {
  const page = await postWithUpdate('{"title":"Waiting"}');
  const formOf = async (address: string) =>
    postForms((await editor.get(address)).text).find(({ fields }) => 'body' in fields)!.fields;
  expect((await formOf(page)).title).not.toEqual(['Waiting']);
  const link = /href="(\?edit=scheduled)"/.exec((await editor.get(page)).text)![1]!;
  const { changeAt, version, ...shown } = await formOf(page + link);
  expect(shown.title).toEqual(['Waiting']);
  const edit = 'scheduled';
  const change = { edit, intent: 'prepare', title: 'Waiting longer', changeAt: changeAt!, version: version! };
  expect((await editor.post(page, change)).status).toBe(302);
  expect((await formOf(`${page}?edit=scheduled`)).title).toEqual(['Waiting longer']);
});

it('text that was typed, not saved, and can no longer be read does not keep its post from opening', async () => {
  const { id } = (await app.db.user.findFirst())!;
  const post = await createPost(app);
  const now = new Date();
  await app.db.revision.create({
    data: {
      id: post.id,
      postId: post.id,
      postVersion: 1,
      kind: 'autosave',
      authorId: id,
      fields: 'not JSON',
      createdAt: now,
      updatedAt: now,
    },
  });
  expect((await editor.get(`/admin/posts/${post.id}`)).status).toBe(200);
});
