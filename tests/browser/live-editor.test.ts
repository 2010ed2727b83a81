// The live editor over the textarea: the text looks like the page, and stays byte for byte what was typed.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { fromMenu } from '#tests/support/browser-session.ts';
import { standStill, useEditorPage } from '#tests/support/editor-page.ts';
import { createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, userId, session, page } = here;
beforeEach(() => {
  ({ app, userId, session, page } = here);
});

it('shows Markdown as the page looks, fades the marks, and brings them back at the caret', async () => {
  await openEditor('## Heading\n\nSome **bold** and a [link](https://example.org/).\n\n- [ ] task\n\nEnd');
  const content = page.locator('.cm-content');
  expect(await content.innerText()).not.toContain('**');
  expect(await content.innerText()).not.toContain('https://example.org/');
  expect(await page.locator('.md-h2').innerText()).toBe('Heading');
  await page.locator('.md-strong').click();
  await expect.poll(() => content.innerText()).toContain('**bold**');
  await goTo('End');
  await expect.poll(() => content.innerText()).not.toContain('**');
  await page.locator('.md-task').click();
  await expect.poll(() => page.locator('[name=body]').inputValue()).toContain('- [x] task');
  await fromMenu(page, 'Markdown source');
  await expect.poll(() => content.innerText()).toContain('[link](https://example.org/)');
});

it('marks up what is chosen by button and key, continues lists, and the menu behind / inserts', async () => {
  const { value } = await openEditor('bold');
  await goTo('End');
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await page.getByRole('button', { name: 'Bold' }).click();
  await expect.poll(value).toBe('**bold**');
  await goTo('End');
  await page.keyboard.type(' and _quick_\n\n- one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await expect.poll(value).toBe('**bold** and _quick_\n\n- one\n- two');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/quo');
  await page.getByRole('option', { name: /Quote/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('said');
  await expect.poll(value).toMatch(/> said$/);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(value).not.toContain('> said');
});

it('Enter in an empty item ends a list, and on an empty line a quote, so that what follows is a paragraph of its own', async () => {
  const { value } = await openEditor();
  await goTo('End');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.keyboard.type('- one');
  await press('Enter', 'Enter');
  await page.keyboard.type('Words.');
  await press('Enter', 'Enter');
  await page.keyboard.type('1. first');
  await press('Enter');
  await page.keyboard.type('second');
  await press('Enter', 'Enter');
  await page.keyboard.type('More.');
  await press('Enter', 'Enter');
  await page.keyboard.type('- [ ] task');
  await press('Enter', 'Enter');
  await page.keyboard.type('> said');
  await press('Enter', 'Shift+Enter');
  await page.keyboard.type('and more');
  await press('Enter', 'Enter');
  await page.keyboard.type('End.');
  const lists = '- one\n\nWords.\n\n1. first\n2. second\n\nMore.\n\n- [ ] task';
  await expect.poll(value).toBe(`${lists}\n\n> said\n>\n> and more\n\nEnd.`);
});

it('keys know the text around the caret, however slow the machine', async () => {
  await standStill(page);
  const { value } = await openEditor();
  await goTo('End');
  for (const word of ['- one', 'two', '']) {
    await page.keyboard.type(word);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.type('Words.');
  await expect.poll(value).toBe('- one\n- two\n\nWords.');
});

it('makes a link of a pasted address, of a post found by title, and Markdown of rich text', async () => {
  await createPost(app, { title: 'Lighthouses of the north', slug: 'lighthouses', status: 'published' });
  const { value } = await openEditor('see the tide');
  const paste = (data: Record<string, string>) =>
    page.locator('.cm-content').evaluate((field, data) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, data);
  await goTo('End');
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await paste({ 'text/plain': 'https://tides.example.org/' });
  await expect.poll(value).toBe('see the [tide](https://tides.example.org/)');
  await goTo('End');
  await page.keyboard.type('\n\n[[light');
  await page.getByRole('option', { name: /Lighthouses of the north/ }).click();
  await expect.poll(value).toContain('[Lighthouses of the north](/posts/lighthouses)');
  await page.keyboard.type('\n\n');
  await paste({
    'text/plain': 'Title\nbold, slanted\none\nHigh 09:30',
    'text/html':
      '<b style="font-weight:normal" id="docs-internal-guid-1"><h2>Title</h2><p><span style="font-weight:700">bold</span>, <span style="font-style:italic">slanted</span></p><ul><li><p>one</p></li></ul><table><tr><th>Tide</th></tr><tr><td><a href="https://example.org/">High</a></td></tr></table></b>',
  });
  const expected = '## Title\n\n**bold**, *slanted*\n\n- one\n\n| Tide';
  await expect.poll(value).toContain(expected);
  expect((await value()).split('https://example.org/')).toHaveLength(2);
});

const corpus = process.env.DATELINE_CORPUS ?? path.join(import.meta.dirname, '../support/corpus');

it('posts that are opened and saved untouched are byte for byte the same', async () => {
  const files = await corpusTexts();
  for (const body of files) {
    const { id } = await createPost(app, { body, authorId: userId, status: 'published' });
    await session.open(`posts/${id}`);
    await page.locator('.cm-content').waitFor();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await expect.poll(async () => (await app.db.post.findUniqueOrThrow({ where: { id } })).version).toBe(2);
    expect((await app.db.post.findUniqueOrThrow({ where: { id } })).body).toBe(body);
  }
}, 600_000);

/** Texts with everything that an editor may be tempted to tidy; the whole corpus where one is named. */
async function corpusTexts(): Promise<string[]> {
  const odd = [
    'Windows\r\n\r\nline ends\r\n',
    '\n\n  leading and trailing \t\n\n\n',
    '* star\n+ plus\n1) one\n\n\tcode\n\n***\n\nhard  \nbreak\u00a0and\u2028more \ufeff',
    'Setext\n===\n\n| a|b |\n|-|:-:|\n|1|2|\n\n![x](a.png "t"){.wide}\n\n<div>\n\n*html*\n\n</div>\n',
  ];
  const names = await readdir(corpus).catch(() => []);
  const texts = names
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFile(path.join(corpus, name), 'utf8'));
  return [...odd, ...(await Promise.all(texts))];
}

it('Ctrl+K jumps to a post, a screen or a setting, and shows nobody what they may not open', async () => {
  await createPost(app, { title: 'A harbour in winter', authorId: userId });
  await session.open('');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('harbour in');
  await page.getByRole('option', { name: /A harbour in winter/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
  const { found } = await page.evaluate(
    async () =>
      (await (
        await fetch('/admin/find?q=admin%20path', { headers: { Accept: 'application/json' } })
      ).json()) as {
        found: { kind: string }[];
      },
  );
  expect(found.filter(({ kind }) => kind === 'screen')).toEqual([]);
});

it('Ctrl+K and Enter, faster than the search, go to what was asked for', async () => {
  const { id } = await createPost(app, { title: 'Buoys of the estuary', authorId: userId });
  await session.open('');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  // What is offered before anything is typed.
  await page.getByRole('option', { name: /New post/ }).waitFor();
  await page.keyboard.insertText('buoys of');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(new RegExp(`/posts/${id}$`));
});

it('Ctrl+K logs out', async () => {
  await session.open('posts');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  await page.locator('.palette input').fill('log out');
  await page.getByRole('option', { name: /Log out/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  await session.open('posts');
  await page.waitForURL('**/login?*');
});

it('what is typed while the palette of Ctrl+K loads is searched', async () => {
  await createPost(app, { title: 'Gulls of the pier', authorId: userId });
  let load = () => {};
  const typed = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/palette-[^/]+\.js$/, async (route) => {
    await typed;
    await route.continue();
  });
  await session.open('');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('gulls of');
  load();
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('gulls of');
  await page.getByRole('option', { name: /Gulls of the pier/ }).waitFor();
});

it.each([0, 5, 10, 15])(
  'every letter typed while Ctrl+K opens on a slow device is kept (%s ms)',
  async (delay) => {
    const device = await page.context().newCDPSession(page);
    await session.open('');
    await page.waitForLoadState('networkidle');
    await device.send('Emulation.setCPUThrottlingRate', { rate: 8 });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harbour in', { delay });
    await device.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('harbour in');
  },
);

it('speaks the language of whoever writes, in its menus and widgets too', async () => {
  await app.db.user.update({ where: { id: userId }, data: { language: 'de' } });
  const { value } = await openEditor('| A | B |\n| --- | --- |\n| 1 | 2 |\n\n![x](/favicon.svg)\n');
  await page.getByLabel('Bildunterschrift').waitFor();
  await page.getByLabel('Kopf von A').focus();
  expect(await page.locator('.md-grid-tools').innerText()).toContain('+ Zeile');
  await goTo('End');
  await page.keyboard.type('\n\n/zit');
  await page.getByRole('option', { name: /Zitat/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Wort');
  await expect.poll(value).toMatch(/> Wort$/);
  // Who knows the English name finds it too.
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\n\n/divi');
  await page.getByRole('option', { name: /Trennlinie/ }).waitFor();
  expect(await page.locator('.text-foot').innerText()).toMatch(/Wörter/);
  await app.db.user.update({ where: { id: userId }, data: { language: '' } });
});
