import { expect, it } from 'vitest';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createUser } from '#tests/support/factories.ts';
import type { TestServer } from '#tests/support/server.ts';

const here = useEditorPage();

it('one sees by name who else has the post open, before one types, and that they have left', async () => {
  const { post } = await here.openEditor('Words.');
  const present = here.page.locator('.present');
  expect(await present.innerText()).toBe('');
  const { id } = await createUser(here.app, { role: 'editor', displayName: 'Sam Weaver' });
  const server = { url: new URL(here.page.url()).origin } as TestServer;
  const other = await openBrowserSession(here.app, server, id);
  // At once, also without scripts: the page itself says so.
  const answer = await other.page.request.get(`/admin/posts/${post.id}`);
  expect(await answer.text()).toContain('Also here:');
  await other.open(`posts/${post.id}`);
  await expect.poll(() => present.innerText(), { timeout: 20_000 }).toBe('Also here: Sam Weaver');
  await other.close();
  await expect.poll(() => present.innerText(), { timeout: 45_000 }).toBe('');
}, 90_000);

it('a second tab of one’s own says so before one types, and no longer when the first is closed', async () => {
  const { post } = await here.openEditor('Words.');
  const second = await here.page.context().newPage();
  await second.goto(`/admin/posts/${post.id}`);
  const words = 'You have this post open in another tab';
  for (const tab of [second, here.page])
    await expect.poll(() => tab.locator('.present').innerText()).toBe(words);
  await second.reload();
  await expect.poll(() => second.locator('.present').innerText()).toBe(words);
  await here.page.goto('/admin/posts');
  await expect.poll(() => second.locator('.present').innerText(), { timeout: 10_000 }).toBe('');
  await second.close();
});
