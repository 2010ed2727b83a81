// Links are edited in a field beside the words: no key that ends the field comes into the address.
import { beforeEach, expect, it } from 'vitest';
import { fromMenu } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { app, page } = here;
beforeEach(() => {
  ({ app, page } = here);
});

const field = () => page.getByRole('combobox', { name: 'Search for a post, or paste an address' });
const isInText = () => page.evaluate(() => document.activeElement!.matches('.cm-content'));

it('Ctrl+K makes a link of chosen words: address, Enter, and the text goes on behind the link', async () => {
  const { value } = await openEditor('Read the report');
  await goTo('End');
  await press('Control+Shift+ArrowLeft', 'Control+k');
  await field().waitFor();
  await type('https://example.org/a');
  await press('Enter');
  await type(' today.');
  await expect.poll(value).toBe('Read the [report](https://example.org/a) today.');
});

it('Ctrl+K without words finds a post by its title; Esc leaves everything as it was', async () => {
  await createPost(app, { title: 'Lamps of the harbour', slug: 'lamps', status: 'published' });
  const { value } = await openEditor('See ');
  await goTo('End');
  await press('Control+k');
  await type('https://example.org/');
  await press('Escape');
  await expect.poll(isInText).toBe(true);
  expect(await value()).toBe('See ');
  await press('Control+k');
  await type('lamps of');
  await press('Enter');
  await expect.poll(value).toBe('See [Lamps of the harbour](/posts/lamps)');
  await expect.poll(isInText).toBe(true);
  await type('!');
  await expect.poll(value).toBe('See [Lamps of the harbour](/posts/lamps)!');
});

it('the link under the caret is edited and removed, and opens', async () => {
  const { value } = await openEditor('A [link](https://example.org/a "Title") here.');
  await goTo('Home');
  await press('ArrowRight', 'ArrowRight', 'ArrowRight');
  const preview = page.locator('.md-preview');
  expect(await preview.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe(
    'https://example.org/a',
  );
  await preview.getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => field().inputValue()).toBe('https://example.org/a');
  await field().fill('example.org/b (c)');
  await field().fill('example.org/b');
  await press('Enter');
  await expect.poll(value).toBe('A [link](https://example.org/b "Title") here.');
  // Without a selection, in the link: the same field.
  await press('Control+k');
  await expect.poll(() => field().inputValue()).toBe('https://example.org/b');
  await press('Escape', 'ArrowRight');
  await preview.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(value).toBe('A link here.');
  await press('Control+z');
  await expect.poll(value).toBe('A [link](https://example.org/b "Title") here.');
});

it('the palette opens at Ctrl+P in the text, and at / outside of it', async () => {
  await openEditor('Words.');
  await goTo('End');
  await press('Control+p');
  const palette = page.getByRole('dialog', { name: 'Jump to' });
  await palette.waitFor();
  await press('Escape');
  await palette.waitFor({ state: 'detached' });
  await expect.poll(isInText).toBe(true);
  await page.getByRole('button', { name: 'Preview', exact: true }).focus();
  await press('/');
  await palette.waitFor();
  await press('Escape');
  await fromMenu(page, 'Keyboard map');
  const keys = page.getByRole('dialog', { name: 'Keyboard' });
  await expect.poll(() => keys.innerText()).toContain('Ctrl P');
});
