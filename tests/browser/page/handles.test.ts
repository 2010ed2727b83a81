// Handles at blocks, the plus of an empty line and what its menu inserts.
import { beforeEach, expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { page } = here;
beforeEach(() => {
  ({ page } = here);
});

const body = 'First  \nparagraph.\n\n## Heading\n\n- one\n- two\n\nLast.\n';
const handle = () => page.locator('.md-handle');
const lineOf = (words: string) => page.locator('.cm-line', { hasText: words });

it('the handle of the block under the pointer moves it by a drag', async () => {
  const { value } = await openEditor(body);
  await lineOf('Last.').hover();
  const from = (await handle().boundingBox())!;
  const to = (await lineOf('First').boundingBox())!;
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, to.y + 40, { steps: 4 });
  await page.mouse.move(from.x + 8, to.y + 2, { steps: 4 });
  await page.locator('.md-drop').waitFor();
  await page.mouse.up();
  await expect.poll(value).toBe('Last.\n\nFirst  \nparagraph.\n\n## Heading\n\n- one\n- two\n');
  expect(await page.getByRole('menu').count()).toBe(0);
  await press('Control+z');
  await expect.poll(value).toBe(body);
});

it('Esc during a drag leaves the text as it was', async () => {
  const { value } = await openEditor(body);
  await lineOf('Last.').hover();
  const from = (await handle().boundingBox())!;
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y - 100, { steps: 4 });
  await page.locator('.md-drop').waitFor();
  await press('Escape');
  await page.mouse.up();
  await page.locator('.md-drop').waitFor({ state: 'hidden' });
  expect(await value()).toBe(body);
});

it('a press on the handle opens the menu of the block', async () => {
  const { value } = await openEditor(body);
  await lineOf('Heading').hover();
  await handle().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect.poll(value).toBe(body.replace('## Heading', '## Heading\n\n## Heading'));
  await lineOf('Last.').hover();
  await handle().click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect
    .poll(value)
    .toBe(body.replace('## Heading', '## Heading\n\n## Heading').replace('\n\nLast.', ''));
});

it('keys alone move a block and turn it into another', async () => {
  const { value } = await openEditor(body);
  await goTo('Home');
  await press('Alt+ArrowDown');
  await expect.poll(value).toBe('## Heading\n\nFirst  \nparagraph.\n\n- one\n- two\n\nLast.\n');
  await press('Alt+ArrowUp', 'Alt+F10');
  await page.getByRole('menu', { name: 'Block' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement!.textContent);
  expect(await focused()).toMatch(/^Move down/);
  await press('End', 'ArrowUp', 'Enter');
  await expect.poll(value).toBe(body.replace('First  \nparagraph.', '> First  \n> paragraph.'));
  await press('Alt+F10', 'Escape');
  await type('!');
  await expect.poll(value).toContain('> paragraph.!');
});

it('the plus of an empty line opens the menu of everything, and nothing is written before a choice', async () => {
  const { value } = await openEditor('Words.');
  await goTo('End');
  await press('Enter');
  await handle().click();
  await page.getByRole('option', { name: /^Heading/ }).waitFor();
  const before = await value();
  expect(before.trim()).toBe('Words.');
  await press('Escape');
  expect(await value()).toBe(before);
  await handle().click();
  // Nobody waits for the menu: Enter chooses what it finds.
  await type('formu');
  await press('Enter');
  await expect.poll(value).toMatch(/^Words\.\n\n\$\$\n\n\$\$/);
});

it('an open menu narrows with each letter, and Enter right behind the last one chooses', async () => {
  const { value } = await openEditor('');
  await goTo('End');
  await type('/');
  await page.getByRole('option').first().waitFor();
  // One task of the page: no timer can run between the letters and Enter.
  await page.locator('.cm-content').evaluate((field) => {
    for (const letter of 'warn') document.execCommand('insertText', false, letter);
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  await expect.poll(async () => (await value()).trimEnd()).toBe('> [!WARNING]\n>');
});

it.each([
  ['- one', '- two', '- one\n- two'],
  ['* one', '- two', '* one\n* two'],
  ['1. one', '2. two', '1. one\n2. two'],
  ['- [ ] one', '- [ ] two', '- [ ] one\n- [ ] two'],
  // A list within an item, and a mark where no list goes on, are meant.
  ['- one', '1. two', '- one\n- 1. two'],
])('after %s the marker typed by habit in %s is not there twice', async (first, second, expected) => {
  const { value } = await openEditor('');
  await goTo('End');
  await type(first);
  await press('Enter');
  await type(second);
  await expect.poll(value).toBe(expected);
});

it.each([
  ['warning', '> [!WARNING]\n> '],
  ['toggle', '<details>\n<summary>Title</summary>\n\n\n\n</details>'],
])('the menu inserts a %s', async (name, expected) => {
  const { value } = await openEditor('');
  await goTo('End');
  await type(`/${name}`);
  await page.getByRole('option').first().waitFor();
  await press('Enter');
  await expect.poll(async () => (await value()).trimEnd()).toBe(expected.trimEnd());
});

it('a button gets its address in the field for links', async () => {
  const { value } = await openEditor('');
  await goTo('End');
  await type('/button');
  await page.getByRole('option').first().waitFor();
  await press('Enter');
  await page.getByRole('dialog', { name: 'Link' }).waitFor();
  await type('/about');
  await press('Enter');
  await expect.poll(async () => (await value()).trim()).toBe('[Title](/about){.button}');
});

it('in the Markdown source there are no handles', async () => {
  await openEditor(body);
  await press('Control+Shift+M');
  await page.locator('.md-source').waitFor();
  await lineOf('Last.').hover();
  expect(await handle().count()).toBe(0);
});

it.each([
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
])(
  'the menu of a line at the end of the window on %s opens below it, over nothing that is written',
  async (_, size) => {
    await page.setViewportSize(size);
    await openEditor(`${'A paragraph.\n\n'.repeat(40)}`);
    await goTo('End');
    for (const open of [() => type('/'), () => type('[[')]) {
      await open();
      const menu = page.locator('.cm-tooltip-autocomplete');
      await menu.waitFor();
      const caret = (await page.locator('.cm-cursor-primary').boundingBox())!;
      expect((await menu.boundingBox())!.y).toBeGreaterThan(caret.y + caret.height / 2);
      await press('Escape', 'Backspace');
    }
  },
);
