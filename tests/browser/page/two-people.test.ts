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
