// Enter begins a paragraph, and what looks like one line is one.
import { beforeEach, expect, it } from 'vitest';
import { fromMenu } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { page } = here;
beforeEach(() => {
  ({ page } = here);
});

it('Enter begins a paragraph, Shift+Enter a line, and each is one step to undo', async () => {
  const { value } = await openEditor('');
  await goTo('End');
  await type('One');
  await press('Enter');
  await type('two');
  await press('Shift+Enter');
  await type('three');
  await expect.poll(value).toBe('One\n\ntwo\\\nthree');
  expect(await page.locator('.cm-content').innerText()).not.toContain('\\');
  for (const [key, text] of [
    ['Enter', 'One\n\ntwo\\\nthree\n\n'],
    ['Shift+Enter', 'One\n\ntwo\\\nthree\\\n'],
  ] as const) {
    await press(key);
    await expect.poll(value).toBe(text);
    await press('Control+z');
    await expect.poll(value).toBe('One\n\ntwo\\\nthree');
  }
  // A second Enter adds nothing: the paragraph is there already.
  await press('Enter', 'Enter');
  await type('## Heading');
  await press('Enter');
  await type('Words');
  await expect.poll(value).toBe('One\n\ntwo\\\nthree\n\n## Heading\n\nWords');
});

it('lists, quotations and code keep their Enter, and the source view, too', async () => {
  const { value } = await openEditor('');
  await goTo('End');
  await type('- one');
  await press('Enter');
  await type('two');
  await press('Shift+Enter');
  await type('more');
  await expect.poll(value).toBe('- one\n- two\\\n  more');
  await press('Enter', 'Enter');
  await type('> said');
  await press('Enter');
  await type('more');
  await press('Enter', 'Enter');
  await type('```js');
  await press('Enter');
  await type('a();');
  await press('Enter');
  await type('b();');
  await expect.poll(value).toBe('- one\n- two\\\n  more\n\n> said\n> more\n\n```js\na();\nb();\n```');
  await fromMenu(page, 'Markdown source');
  await goTo('Home');
  await type('a');
  await press('Enter');
  await type('b');
  await expect.poll(value).toMatch(/^a\nb- one/);
});

it('a line feed within a paragraph is a space, and what nobody touches stays', async () => {
  const text = 'Soft *wrapped\nlines* of\none paragraph.\n\n- an item\n  goes on\n\n*Hard\\\nbreak*';
  const { value } = await openEditor(`${text}\n\nEnd\n`);
  const lines = page.locator('.cm-line');
  expect(await lines.first().innerText()).toBe('Soft wrapped lines of one paragraph.');
  expect(await lines.nth(2).innerText()).toMatch(/an item goes on$/);
  expect(await lines.nth(4).innerText()).toBe('Hard');
  await goTo('End');
  await type('More');
  await expect.poll(value).toBe(`${text}\n\nEnd\n\nMore`);
  await goTo('Home');
  await press('ArrowDown', 'ArrowUp', 'Home');
  await type('A ');
  await expect.poll(value).toBe(`A ${text}\n\nEnd\n\nMore`);
});

it('Enter within a link or bold words leaves both halves whole', async () => {
  const { value } = await openEditor('[full report](/a) and **bold words**');
  await goTo('Home');
  await press('Control+ArrowRight', 'Enter');
  await expect.poll(value).toBe('[full](/a)\n\n[report](/a) and **bold words**');
  await press('Control+z');
  await goTo('End');
  await press('Enter');
  await type('next');
  await expect.poll(value).toBe('[full report](/a) and **bold words**\n\nnext');
});
