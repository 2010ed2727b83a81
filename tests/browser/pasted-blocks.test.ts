// Where a pasted text begins and ends, and where it stands when its code comes late.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { pasteRichText } from '#tests/support/paste.ts';

const here = useEditorPage();

const paste = (html: string, plain?: string) => pasteRichText(here.page, html, plain);

it('what is typed while a pasted text is converted stands behind it', async () => {
  const { page } = here;
  const { value } = await here.openEditor('');
  let load = () => {};
  const typed = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/rich-text-[^/]+\.js$/, (route) => typed.then(() => route.continue()));
  await here.goTo('End');
  await paste('<p><b>Bold</b> words</p>');
  await page.keyboard.type(', then more');
  load();
  await expect.poll(value).toBe('**Bold** words, then more');
  await page.keyboard.type('.');
  await expect.poll(value).toBe('**Bold** words, then more.');
});

it.each([
  ['late', 'a **Bold**xyz b'],
  ['never', 'a Boldxyz b'],
])('what is typed after a paste over a selection is kept when its code comes %s', async (when, expected) => {
  const { page } = here;
  const { value } = await here.openEditor('a word b');
  let load = () => {};
  const typed = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/rich-text-[^/]+\.js$/, (route) =>
    typed.then(() =>
      when === 'late'
        ? route.continue()
        : route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("not loaded")' }),
    ),
  );
  await here.goTo('End');
  for (const _ of ' b') await page.keyboard.press('ArrowLeft');
  for (const _ of 'word') await page.keyboard.press('Shift+ArrowLeft');
  await paste('<b>Bold</b>', 'Bold');
  await page.keyboard.type('xyz');
  load();
  await expect.poll(value).toBe(expected);
});

it.each([0, 700])(
  'a paste over a selection is undone in one step, %s ms after its code was asked for',
  async (ms) => {
    const { page } = here;
    const { value } = await here.openEditor('word');
    // The history of an editor joins changes that follow each other within half a second.
    await page.route(/\/rich-text-[^/]+\.js$/, (route) => sleep(ms).then(() => route.continue()));
    await here.goTo('End');
    for (const _ of 'word') await page.keyboard.press('Shift+ArrowLeft');
    await paste('<b>Bold</b>');
    await expect.poll(value).toBe('**Bold**');
    await page.keyboard.press('Control+z');
    await expect.poll(value).toBe('word');
  },
);

it.each([
  ['Shopping:', '<ul><li>tea</li><li>milk</li></ul>', 'Shopping:\n\n- tea\n- milk'],
  ['- tea', '<ul><li>milk</li></ul>', '- tea\n- milk'],
  ['- ', '<p><b>tea</b></p>', '- **tea**'],
  ['Words.', '<h2>Head</h2><p>More.</p>', 'Words.\n\n## Head\n\nMore.'],
  ['Some ', '<p><b>bold</b> words</p>', 'Some **bold** words'],
  ['> Quoted ', '<p><b>bold</b> words</p>', '> Quoted **bold** words'],
])('behind %s a pasted %s', async (before, html, expected) => {
  const { value } = await here.openEditor(before);
  await here.goTo('End');
  await paste(html);
  await expect.poll(value).toBe(expected);
});

it('what is typed behind a pasted table is no cell of it', async () => {
  const { value } = await here.openEditor('Prices:\n\nAfter.');
  await here.goTo('Home');
  await here.page.keyboard.press('End');
  await paste('<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>');
  await expect.poll(value).toContain('| 1 | 2 |');
  await here.page.keyboard.type('Typed.');
  await expect.poll(value).toBe('Prices:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nTyped.\n\nAfter.');
});

it('a paste over a selection that is gone when its code is there stands behind what replaced it', async () => {
  const { page } = here;
  const { value } = await here.openEditor('a word b');
  let load = () => {};
  const typed = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/rich-text-[^/]+\.js$/, (route) => typed.then(() => route.continue()));
  await here.goTo('End');
  for (const _ of ' b') await page.keyboard.press('ArrowLeft');
  for (const _ of 'word') await page.keyboard.press('Shift+ArrowLeft');
  await paste('<b>Bold</b>');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('New ');
  load();
  await expect.poll(value).toBe('New **Bold**');
});

it('Ctrl+I within a word, as between Chinese letters, makes marks that the page reads', async () => {
  const { page } = here;
  const { value } = await here.openEditor('这是强调');
  await here.goTo('End');
  for (const _ of '强调') await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Control+i');
  await expect.poll(value).toBe('这是*强调*');
  await page.keyboard.press('Control+i');
  await expect.poll(value).toBe('这是强调');
});
