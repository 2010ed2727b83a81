// Another account logs in in a second tab of the same browser: the sessions of both tabs are then its own.
import { expect, it } from 'vitest';
import { startSession } from '#app/people/sessions/sessions.server.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createUser } from '#tests/support/factories.ts';

const here = useEditorPage();

it('saves nothing of the first tab, whose text is saved when its own account is back', async () => {
  const { app, page, openEditor, goTo } = here;
  const { post } = await openEditor('Before.');
  const own = await page.context().cookies();
  const other = await createUser(app, { role: 'editor' });
  const cookie = await startSession(app, other.id, { userAgent: 'Browser test', address: '127.0.0.1' });
  const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: new URL(page.url()).origin, httpOnly: true }]);
  const stored = async () => (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).body;
  await goTo('End');
  await page.keyboard.type(' By me.');
  await page.getByText('This browser is now logged in with another account. Your text is kept').waitFor();
  expect(await stored()).toBe('Before.');
  // A file that is pasted now does not become the other account's.
  await page.locator('.cm-content').evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'boat.png', { type: 'image/png' }));
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.locator('.md-upload', { hasText: 'another account. Nothing was changed.' }).waitFor();
  await page.locator('.md-upload').getByRole('button', { name: 'Dismiss' }).click();
  // The login screen is there for this account, although another one is logged in.
  const login = await page.getByRole('link', { name: 'Log in in another tab' }).getAttribute('href');
  expect(await (await page.request.get(login!)).text()).toContain('name="password"');
  await page.context().addCookies(own);
  await page.keyboard.type(' And on.');
  await expect.poll(stored, { timeout: 30_000 }).toBe('Before. By me. And on.');
});
