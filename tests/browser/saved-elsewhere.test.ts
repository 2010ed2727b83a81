// What the editor says of a post that was saved by somebody else, or by the page before it.
import { beforeEach, expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
beforeEach(() => {
  ({ app, page } = here);
});

it('the first key says that the text is not saved, before any answer', async () => {
  const { id } = (await openEditor('Before.')).post;
  await app.db.post.update({ where: { id }, data: { body: 'By another.', version: { increment: 1 } } });
  await page.getByRole('button', { name: 'Show the new version' }).waitFor();
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/posts/*', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await page.locator('.cm-content').press('x');
  await page.locator('.save-state', { hasText: 'Not saved: changed elsewhere' }).waitFor();
  await page.getByRole('button', { name: 'Compare both' }).waitFor();
  answer();
});

it('a reload that overtakes the save of the page before is no conflict with oneself', async () => {
  const { post, value } = await openEditor('Before.');
  const stored = async () => (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).body;
  await goTo('End');
  await page.keyboard.type(' Typed, and reloaded.');
  // The new page is read before its predecessor is left, and that one's last save arrives after it.
  await page.reload();
  await page.locator('.tools').waitFor();
  await expect.poll(value).toBe('Before. Typed, and reloaded.');
  await goTo('End');
  await page.keyboard.type(' And on.');
  await expect.poll(stored).toBe('Before. Typed, and reloaded. And on.');
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
});
