// Every dialog and menu of the editor with the keyboard alone: it opens, has a name, does its work, and closes.
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
beforeEach(() => {
  ({ app, page } = here);
});

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const option = (name: RegExp) => page.locator('.cm-tooltip').getByRole('option', { name });
const isInText = () => page.evaluate(() => document.activeElement!.matches('.cm-content'));
/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    const label = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      if (element === document.body) return '';
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
    });
    if (name.test(label ?? '')) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${name.source}`);
}
const openTool = async (typed: string, name: RegExp) => {
  await page.keyboard.type(typed);
  await option(name).waitFor();
  await press('Enter');
};

it('the menu behind / has a name, Esc closes it, and the table that it makes is written and left by key', async () => {
  const { value } = await openEditor();
  await goTo('End');
  await page.keyboard.type('/');
  await page.getByRole('listbox', { name: 'Insert menu' }).waitFor();
  await press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await press('Backspace');
  await openTool('/table', /Table/);
  for (const words of ['Tide', 'When', 'High']) {
    await page.keyboard.type(words);
    await press('Tab');
  }
  await page.keyboard.type('09:30');
  await press('Escape');
  await expect.poll(isInText).toBe(true);
  await expect.poll(value).toMatch(/\| Tide \| When \|\n\| --- \| --- \|\n\| High \| 09:30 \|/);
});

it('Tab leads from a picture’s caption to its description, and no word is lost', async () => {
  const { value } = await openEditor('![](/favicon.svg)\n\nEnd.');
  await goTo('End');
  const figure = page.locator('.md-figure');
  await figure.getByLabel('Caption').focus();
  await page.keyboard.type('The sign');
  // Ctrl+S in the field saves its text and keeps the focus there.
  const saved = page.waitForRequest((request) => /intent=save\b/.test(request.postData() ?? ''));
  await press('Control+s');
  const body = new URLSearchParams((await saved).postData()!).get('body');
  expect(body).toContain('![](/favicon.svg "The sign")');
  await press('Tab');
  // The words of the caption are in the text by then, and the field was drawn anew.
  await expect.poll(value).toContain('![](/favicon.svg "The sign")');
  await page.keyboard.type('A round sign');
  await press('Tab');
  await expect.poll(value).toContain('![A round sign](/favicon.svg "The sign")');
});

it('Tab leads from a description to the caption in a gallery, and no word is lost', async () => {
  const { value } = await openEditor('Before.\n\n![](/favicon.svg) ![](/favicon.svg)\n\nEnd.');
  await goTo('End');
  const first = page.locator('.md-gallery li').first();
  await first.getByLabel('Description').focus();
  await page.keyboard.type('Left');
  await press('Tab');
  await expect.poll(value).toContain('![Left](/favicon.svg) ![](/favicon.svg)');
  await page.keyboard.type('On the left');
  await press('Tab');
  await expect.poll(value).toContain('![Left](/favicon.svg "On the left") ![](/favicon.svg)');
});

it('Esc leaves a picture’s fields, and what is typed behind a picture or table never runs into the note below', async () => {
  const note = '[^1]: Kept since 1911.';
  const { value } = await openEditor(`A gauge[^1]\n\n![](/favicon.svg)\n\n${note}`);
  await page.locator('.md-figure').getByLabel('Caption').focus();
  await press('Escape');
  await page.keyboard.type('On the pier.');
  await expect.poll(value).toBe(`A gauge[^1]\n\n![](/favicon.svg)\n\nOn the pier.\n\n${note}`);
  await press('Enter', 'Enter');
  await openTool('/table', /Table/);
  await page.keyboard.type('Tide');
  await press('Escape');
  await page.keyboard.type('Behind.');
  await expect.poll(value).toMatch(/^\| {2}\| {2}\|\n\nBehind\.\n\n\[\^1\]: Kept since 1911\.$/m);
  // The note itself points to nothing.
  await press('ArrowDown', 'ArrowDown', 'Home');
  expect(await page.locator('.md-preview').count()).toBe(0);
});

it('a film gets a poster of the library by key, every other byte stays, and the poster goes again', async () => {
  const media = await createMedia(app, { originalName: 'quay.jpg', alt: 'A quay' });
  await createMedia(app, { originalName: 'ferry.mp4', mimeType: 'video/mp4', path: '2026/11/ferry.mp4' });
  const { value } = await openEditor('![The ferry](/uploads/none.mp4 "At dawn"){.wide}\n\nEnd.');
  await page.getByRole('button', { name: 'Description and width' }).focus();
  await press('Enter');
  await tabTo(page, /^Choose a poster…$/);
  await press('Enter');
  await page.getByRole('dialog', { name: 'Choose a picture' }).waitFor();
  // A film is no poster.
  await page.locator('.library-pictures li').first().waitFor();
  expect(await page.locator('.library-pictures', { hasText: 'ferry.mp4' }).count()).toBe(0);
  await tabTo(page, /quay\.jpg/);
  await press('Enter');
  const film = '![The ferry](/uploads/none.mp4 "At dawn"){.wide';
  await expect.poll(value).toBe(`${film} poster=/uploads/${media.path}}\n\nEnd.`);
  expect(await page.locator('.md-figure video').getAttribute('poster')).toBe(`/uploads/${media.path}`);
  // The focus is back where the library was opened.
  await tabTo(page, /^Choose another poster…$/);
  await press('Tab', 'Enter');
  await expect.poll(value).toBe(`${film}}\n\nEnd.`);
});

/** Opens the library from the end of the text. */
async function openLibrary(): Promise<Locator> {
  await goTo('End');
  await openTool('/library', /library/);
  const library = page.getByRole('dialog', { name: 'Choose a picture' });
  await library.waitFor();
  return library;
}

it('Esc leaves the library, and a picture can be uploaded in it', async () => {
  const { value } = await openEditor();
  const library = await openLibrary();
  await page.keyboard.type('pier');
  // Esc closes it even while there is text in the search field.
  await press('Escape');
  await library.waitFor({ state: 'detached' });
  await expect.poll(isInText).toBe(true);
  await openLibrary();
  const file = { name: 'new.jpg', mimeType: 'image/jpeg', buffer: await picture({ seed: 7 }) };
  await library.getByLabel('Upload a picture').setInputFiles(file);
  await library.waitFor({ state: 'detached' });
  await expect.poll(value).toMatch(/^!\[\]\(\/uploads\/\d+\/\d+\/\w+\.jpg\)/);
});

it('pictures are chosen in the library, and for a gallery, by key', async () => {
  const pier = await createMedia(app, { originalName: 'pier.jpg', alt: 'A pier' });
  const { value } = await openEditor();
  const inLibrary = page.getByRole('dialog').getByRole('button', { name: /pier\.jpg/ });
  await openLibrary();
  await inLibrary.waitFor();
  await tabTo(page, /pier\.jpg/);
  await press('Enter');
  await expect.poll(value).toContain(`![A pier](/uploads/${pier.path})`);
  await openTool('/gallery', /Gallery/);
  await page.getByRole('dialog', { name: 'Choose the pictures of the gallery' }).waitFor();
  await inLibrary.waitFor();
  await tabTo(page, /pier\.jpg/);
  await press('Space');
  await tabTo(page, /^Insert 1 picture$/);
  await press('Enter');
  await expect.poll(async () => (await value()).split('![A pier]').length).toBe(3);
  await expect.poll(isInText).toBe(true);
});

it('an address that is typed or pasted takes the place of the beginning of one', async () => {
  const { value } = await openEditor();
  await goTo('End');
  const paste = (text: string) =>
    page.locator('.cm-content').evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await openTool('/embed', /Embed/);
  await expect.poll(value).toMatch(/^https:\/\/\n?$/);
  await page.keyboard.type('https://example.org/a');
  await expect.poll(value).toMatch(/^https:\/\/example\.org\/a\n?$/);
  await goTo('End');
  await press('Enter');
  await page.keyboard.type('word');
  await press('Control+Shift+ArrowLeft');
  await paste('https://example.org/b');
  await expect.poll(value).toContain('[word](https://example.org/b)');
});

it('Ctrl+P, ? and the publish panel have names, and Esc leads back to where they were opened', async () => {
  await createPost(app, { title: 'Harbours of the south' });
  await openEditor('Text.');
  await goTo('End');
  await press('Control+p');
  await page.getByRole('dialog', { name: 'Jump to' }).waitFor();
  await page.keyboard.type('harbours of the s');
  await page.getByRole('option', { name: /Harbours of the south/ }).waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(isInText).toBe(true);
  await page.getByRole('button', { name: 'Publish…', exact: true }).focus();
  await press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'hidden' });
  await press('Enter');
  await page.getByRole('dialog', { name: /^Publish “/ }).waitFor();
  await tabTo(page, /^More$/);
  await press('Enter');
  await tabTo(page, /^Search description$/);
  await press('Escape');
  await page.locator('.publish-panel').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement!.textContent)).toBe('Publish…');
});

it('with Caps Lock, Ctrl+Shift+F is focus mode and opens no search', async () => {
  await openEditor('Some words.');
  await goTo('End');
  const session = await page.context().newCDPSession(page);
  // What a browser tells with Caps Lock: Shift makes a small letter.
  const key = { key: 'f', code: 'KeyF', windowsVirtualKeyCode: 70, modifiers: 2 | 8 };
  await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  await page.locator('.editor[data-focus]').waitFor();
  expect(await page.getByRole('search').count()).toBe(0);
  await press('Control+f');
  await page.getByRole('search').waitFor();
});

it('a screen reader gets no name of a control as its description too', async () => {
  await openEditor('Words.');
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const twice = nodes.filter(({ name, description }) => name?.value && name.value === description?.value);
  expect(twice.map(({ name }) => String(name!.value))).toEqual([]);
  const names = nodes.filter(({ role }) => role?.value === 'button').map(({ name }) => String(name?.value));
  expect(names).toEqual(expect.arrayContaining(['Preview', 'Publish…', 'More']));
});
