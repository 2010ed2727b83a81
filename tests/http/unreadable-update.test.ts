import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
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
  expect((await editor.get(page)).text).toContain('An update goes live at');
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
