// Writing a longer text in the live editor: lists of several levels, what is pasted, and marks that give way to the look of the page.
import { beforeEach, expect, it } from 'vitest';
import { fromMenu } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { picture } from '#tests/support/images.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { page } = here;
beforeEach(() => {
  ({ page } = here);
});

const isInText = () => page.evaluate(() => document.activeElement!.matches('.cm-content'));

const listOfTwoLevels = '- one\n  - below\n- two\n\n1. first\n2. second\n   1. a part\n3. third';

it('Tab begins a list within an item, and Shift+Tab leads out of it; numbers go on without a gap', async () => {
  const { value } = await openEditor();
  await goTo('End');
  await type('- one');
  await press('Enter', 'Tab');
  await type('below');
  await press('Enter', 'Shift+Tab');
  await type('two');
  await press('Enter', 'Enter');
  await type('1. first');
  await press('Enter');
  await type('second');
  await press('Enter', 'Tab');
  await type('a part');
  await press('Enter', 'Shift+Tab');
  await type('third');
  await expect.poll(value).toBe(listOfTwoLevels);
});

it('Tab nests an item with all below it', async () => {
  const { value } = await openEditor(listOfTwoLevels);
  await goTo('End');
  // The item takes what belongs to it along.
  await press('ArrowUp', 'ArrowUp', 'Tab');
  const nested = '- one\n  - below\n- two\n\n1. first\n   1. second\n      1. a part\n2. third';
  await expect.poll(value).toBe(nested);
  await press('Control+z');
  await expect.poll(value).toBe(listOfTwoLevels);
  // The first item has none above it; the caret stays in the text.
  await goTo('Home');
  await press('Tab');
  await expect.poll(value).toBe(listOfTwoLevels);
  expect(await isInText()).toBe(true);
  // After Esc, and outside of a list, Tab leads on in the page.
  await press('Escape', 'Tab');
  expect(await isInText()).toBe(false);
});

it('Tab indents code, and leaves an ordinary paragraph', async () => {
  const { value } = await openEditor('Words.\n\n```js\nif (late)\nrun();\n```\n');
  await goTo('End');
  await press('ArrowUp', 'ArrowUp', 'Tab');
  await expect.poll(value).toContain('if (late)\n  run();');
  await press('Shift+Tab');
  await expect.poll(value).toContain('if (late)\nrun();');
  await goTo('Home');
  await press('Tab');
  expect(await isInText()).toBe(false);
});

it('the caret of a new code block is in it; a list and tasks below it stay two', async () => {
  const { value } = await openEditor();
  await goTo('End');
  const choose = async (name: string) => {
    await page.keyboard.insertText(`/${name}`);
    await press('Enter');
  };
  await choose('code b');
  await type('run();');
  await press('ArrowDown', 'ArrowDown', 'Enter');
  await choose('list');
  await type('apples');
  await press('Enter', 'Enter');
  await choose('task');
  await type('buy');
  await press('Enter');
  await type('bake');
  await expect.poll(value).toBe('```text\nrun();\n```\n\n- apples\n\n* [ ] buy\n* [ ] bake');
});

it('a typed code block gets its end at once, and typing the end again leads behind it', async () => {
  const { value } = await openEditor('Before.\n\nAfter.\n\n```js\nlast();\n```');
  await goTo('Home');
  await press('End', 'Enter', 'Enter');
  await type('```sh');
  await press('Enter');
  await type('date');
  const before = 'Before.\n\n```sh\ndate';
  const after = '\n\nAfter.\n\n```js\nlast();\n```';
  await expect.poll(value).toBe(`${before}\n\`\`\`${after}`);
  await press('Enter');
  await type('```');
  await expect.poll(value).toBe(`${before}\n\`\`\`${after}`);
  await press('Enter');
  await type('Between.');
  await expect.poll(value).toBe(`${before}\n\`\`\`\nBetween.${after}`);
  // A block that has its end is only a line longer.
  await goTo('End');
  await press('ArrowUp', 'ArrowUp', 'End', 'Enter');
  await expect.poll(value).toContain('```js\n\nlast();\n```');
  // A table is no code.
  await fromMenu(page, 'Formatting bar');
  await page.getByRole('button', { name: 'Table' }).click();
  await expect.poll(value).toContain('last();\n```\n\n|  |  |\n');
  await press('Control+z');
  await goTo('End');
  await press('ArrowDown');
  await type('Below.');
  await expect.poll(value).toContain('last();\n```\n\nBelow.');
});

it('what is typed behind a pasted picture is a paragraph of its own, also above other text', async () => {
  const { value } = await openEditor('Before.\n\nAfter.');
  await goTo('Home');
  await press('End', 'Enter', 'Enter');
  const bytes = [...(await picture({ width: 80, height: 60 }))];
  await page.locator('.cm-content').evaluate((field, bytes) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([new Uint8Array(bytes)], 'quay.jpg', { type: 'image/jpeg' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, bytes);
  await expect.poll(value, { timeout: 30_000 }).toContain('/uploads/');
  await type('Between.');
  await expect.poll(value).toMatch(/^Before\.\n\n!\[\]\(\S+\)\n\nBetween\.\n\nAfter\.$/);
});

it('the cell that is typed in stands above the tools of the table', async () => {
  await openEditor('Words.\n\n'.repeat(12));
  await goTo('End');
  await type('/table');
  await page.getByRole('option', { name: /Table/ }).waitFor();
  await press('Enter');
  for (let cells = 0; cells < 9; cells += 1) {
    await type('word');
    await press('Tab');
  }
  const isAbove = () =>
    page.evaluate(() => {
      const tools = document.querySelector('.md-grid-tools')!.getBoundingClientRect();
      return document.activeElement!.getBoundingClientRect().bottom <= tools.top;
    });
  await expect.poll(isAbove).toBe(true);
});

const textWithMarks =
  '> [!WARNING]\n> Mind the gap.\n\nWords[^1] and [a link](https://example.org/ "Title") and \\*stars\\*.\n\n[^1]: A note.\n\n![A sign][sign] [there][sign]\n\n[sign]: /favicon.svg\n\nEnd';

it('marks give way to the look of the page: call-outs, footnotes, escapes, titles of links', async () => {
  await openEditor(textWithMarks);
  await goTo('End');
  const content = page.locator('.cm-content');
  const lines = async () => (await content.innerText()).split('\n').filter((words) => words.trim() !== '');
  await expect.poll(lines).toEqual([
    'Warning',
    'Mind the gap.',
    'Words1 and a link and *stars*.',
    '[^1]: A note.',
    // The picture before it is no text.
    ' there',
    '[sign]: /favicon.svg',
    'End',
  ]);
  expect(await content.locator('img[alt="A sign"]').getAttribute('src')).toBe('/favicon.svg');
  expect(await page.locator('.md-callout-warning').count()).toBe(2);
  await page.locator('.cm-line', { hasText: 'Mind the gap.' }).click();
  await press('ArrowUp');
  await expect.poll(lines).toContain('> [!warning]');
});

it('a key shows the marks and hides them again, also where nothing has the focus', async () => {
  await openEditor(textWithMarks);
  await goTo('End');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await press('Control+Shift+m');
  await page.locator('.md-source').waitFor();
  await press('Control+Shift+m');
  await page.locator('.md-live .md-callout-box').first().waitFor();
});

it('a page’s links to its own headings and notes, and bold heading cells, are not pasted', async () => {
  const { value } = await openEditor();
  await goTo('End');
  const html =
    '<h2>Ferries <a href="https://example.org/#x">#</a></h2><p>A boat.<sup class="reference"><a href="https://example.org/#n">[1]</a></sup></p>' +
    '<table><tr><td><b>Wind</b></td></tr><tr><td><b>North</b></td></tr></table>';
  await page.locator('.cm-content').evaluate((field, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', html);
    clipboardData.setData('text/plain', 'Ferries');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);
  await expect
    .poll(value)
    .toMatch(/^## Ferries\n\nA boat\.\n\n\| Wind +\|\n\| -+ \|\n\| \*\*North\*\* \|\n*$/);
});

it('what is pasted into code stays as it is: no Markdown of rich text, no link of an address', async () => {
  const { value } = await openEditor('```js\nfetch(x)\n```');
  const paste = (data: Record<string, string>) =>
    page.locator('.cm-content').evaluate((field, data) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, data);
  await goTo('Home');
  await page.keyboard.press('ArrowDown');
  await paste({ 'text/plain': 'a_b *= c_d;\n', 'text/html': '<pre><b>a_b</b> *= c_d;</pre>' });
  await expect.poll(value).toBe('```js\na_b *= c_d;\nfetch(x)\n```');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await paste({ 'text/plain': 'https://tides.example.org/' });
  await expect.poll(value).toBe('```js\na_b *= c_d;\nfetch(https://tides.example.org/)\n```');
});

it('bold words that end with Chinese punctuation are bold in the text, as on the page', async () => {
  await openEditor('**注意。**请看\n\nAt the end.');
  await goTo('End');
  await page.locator('.md-strong', { hasText: '注意。' }).waitFor();
  await expect.poll(() => page.locator('.cm-line').first().innerText()).toBe('注意。请看');
});
