// Contract, section 12: what its screen, the dashboard and the System screen say of a release.
import { expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { openSite } from '#tests/support/site.ts';

it('a published post that a release does not change yet says so; dashboard and System name when it is due', async () => {
  const { app, editor } = await openSite();
  const publishAt = '2099-01-01T09:00';
  const made = await editor.post('/admin/releases/new', { name: 'Far', publishAt, intent: 'schedule' });
  const releaseId = made.headers.location!.split('/').at(-1)!;
  const fields = { title: 'As it is' };
  const { id: ids } = await createPost(app, { intent: 'publish', fields, editorId: null });
  await editor.post('/admin/posts/bulk', { ids, action: 'release', confirmed: 'yes', releaseId });
  const screen = (await editor.get(`/admin/releases/${releaseId}`)).text;
  expect(screen).toContain('Nothing differs from the published post.');
  expect(screen).not.toContain('revisions are identical');
  for (const address of ['/admin', '/admin/system'])
    expect((await editor.get(address)).text).toMatch(/<dt>Next due<\/dt><dd><time/);
});

it('a form without JSON is shown again with what was typed', async () => {
  const { editor } = await openSite();
  const past = { name: 'Late', publishAt: '2020-01-01T09:00', intent: 'schedule' };
  const plain = await editor.post('/admin/releases/new', past);
  expect(plain.status).toBe(400);
  expect(plain.text).toMatch(/value="Late"/);
});
