// Tables, galleries and what links point to, in the live editor: by key and by pointer, byte for byte.
import { beforeEach, expect, it } from 'vitest';
import { examine } from '#tests/support/axe.ts';
import { fromMenu, toggleSettings } from '#tests/support/browser-session.ts';
import { standStill, useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, userId, session, page } = here;
beforeEach(() => {
  ({ app, userId, session, page } = here);
});

it('Enter while a menu still searches takes what it finds', async () => {
  const { value } = await openEditor();
  await goTo('End');
  // In one go, faster than any menu opens.
  await page.keyboard.insertText('/quot');
  await page.keyboard.press('Enter');
  await page.keyboard.type('words');
  await expect.poll(value).toBe('> words');

  const { title, slug } = await createPost(app, { authorId: userId });
  await page.keyboard.press('End');
  await page.keyboard.insertText(` [[${title}`);
  await page.keyboard.press('Enter');
  await expect.poll(value).toBe(`> words [${title}](/posts/${slug})`);
});

const before = 'Before.  \n\n';
const table = 'Name|  Height\n:--|--:\n| Bell \\| Rock |36 m|';
const after = '\n\n* odd   list\n';
const cell = (name: string) => page.getByRole('textbox', { name, exact: true });

it('a cell keeps the focus while somebody writes, however slow the machine', async () => {
  await standStill(page);
  const { value } = await openEditor(before + table + after);
  await cell('Heading of Name').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Skerry');
  await expect.poll(value).toBe(before + table.replace('Bell \\| Rock', 'Skerry') + after);
});

it('the cells of a table are reached and changed by key; every other byte stays', async () => {
  const { value } = await openEditor(before + table + after);
  await goTo('Home');
  // The line before the table is empty; below it is the grid.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => cell('Heading of Name').evaluate((one) => one === document.activeElement))
    .toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await page.locator('.md-grid :focus').inputValue()).toBe('Bell | Rock');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Skerry');
  await expect.poll(value).toBe(before + table.replace('Bell \\| Rock', 'Skerry') + after);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('48 m');
  await expect.poll(value).toBe(`${before}${table}\n|  | 48 m |${after}`);
});

it('rows and columns of a table are moved, added and removed; Esc leads out of it', async () => {
  const { value } = await openEditor(`${before}${table}\n|  | 48 m |${after}`);
  await cell('Height, row 2').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(value).toBe(`${before}${table.replace(':\n', ':\n|  | 48 m |\n')}${after}`);
  await page.getByRole('button', { name: 'Remove the row' }).click();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(value).toContain('| Height | Name |\n| --: | :-- |\n|36 m| Bell \\| Rock |');
  // A cell that stays where it is has the name of its new column.
  await expect.poll(() => cell('Height, row 1').inputValue()).toBe('36 m');
  await page.getByRole('button', { name: 'Add a column after' }).click();
  await page.keyboard.type('new');
  await expect.poll(value).toContain('|36 m| new | Bell \\| Rock |');
  await page.getByRole('button', { name: 'Remove the column' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.type('After it. ');
  await expect.poll(value).toContain('Rock |\n\nAfter it. * odd   list');
});

it('a column is aligned from its list, which writes its dashes alone', async () => {
  const table = 'Name|  Height\n:--|---\n| Bell |36 m|';
  const { value } = await openEditor(table);
  await page.getByRole('textbox', { name: 'Height, row 1' }).focus();
  const choice = page.getByRole('combobox', { name: 'Column alignment' });
  expect(await choice.inputValue()).toBe('');
  await choice.selectOption({ label: 'Right' });
  await expect.poll(value).toBe(table.replace('---', '--:'));
  const align = (name: string) =>
    page.getByRole('textbox', { name }).evaluate((cell) => getComputedStyle(cell).textAlign);
  expect([await align('Height, row 1'), await align('Name, row 1')]).toEqual(['right', 'left']);
  await page.getByRole('textbox', { name: 'Name, row 1' }).focus();
  expect(await choice.inputValue()).toBe('left');
});

it('the table tool makes a grid whose first cell has the caret', async () => {
  const { value } = await openEditor('Words');
  await goTo('End');
  await fromMenu(page, 'Formatting bar');
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.keyboard.type('Year');
  await expect.poll(value).toBe('Words\n\n| Year |  |\n| --- | --- |\n|  |  |\n|  |  |\n\n');
  await page.getByRole('button', { name: 'Edit the table as Markdown' }).click();
  await expect.poll(() => page.locator('.cm-content').innerText()).toContain('| --- |');
});

it('a gallery: pictures from the library, described, moved and removed', async () => {
  const media = [];
  for (const alt of ['First', 'Second', 'Third']) media.push(await createMedia(app, { alt }));
  const [first, second, third] = media.map(({ path }) => `/uploads/${path}`);
  const { value } = await openEditor('Words');
  await goTo('End');
  await page.keyboard.insertText('\n\n/gall');
  await page.keyboard.press('Enter');
  for (const name of ['First', 'Second']) await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Insert 2 pictures' }).click();
  await expect.poll(value).toBe(`Words\n\n![First](${first}) ![Second](${second})\n\n`);
  // Whoever writes elsewhere sees the pictures alone.
  await page.mouse.move(2, 2);
  const controls = page.locator('.md-gallery :is(input, select, button)');
  const shown = controls.evaluateAll((all) =>
    all
      .filter((control) => control.checkVisibility({ opacityProperty: true }))
      .map(({ outerHTML }) => outerHTML),
  );
  expect(await shown).toEqual([]);
  await page.locator('.md-gallery img').first().click();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Description');
  await page.getByRole('button', { name: 'From the library' }).click();
  await page.getByRole('button', { name: 'Third' }).click();
  await page.getByRole('button', { name: 'Insert 1 picture' }).click();
  await page.getByRole('button', { name: 'Move picture 3 to the left' }).click();
  await expect.poll(value).toBe(`Words\n\n![First](${first}) ![Third](${third}) ![Second](${second})\n\n`);
  // The focus goes with the picture.
  await page.keyboard.press('Enter');
  await expect.poll(value).toBe(`Words\n\n![Third](${third}) ![First](${first}) ![Second](${second})\n\n`);
  await page.getByLabel('Caption').nth(2).fill('At dusk');
  await page.getByLabel('Decorative').first().check();
  await expect
    .poll(value)
    .toBe(`Words\n\n![](${third}){.decorative} ![First](${first}) ![Second](${second} "At dusk")\n\n`);
  await page.getByRole('button', { name: 'Remove picture 2' }).click();
  await expect.poll(value).toBe(`Words\n\n![](${third}){.decorative} ![Second](${second} "At dusk")\n\n`);
});

it('an embed looks as readers see it until the caret is in its address', async () => {
  const { path } = await createMedia(app);
  const [film, note] = ['https://www.youtube.com/watch?v=abcdefgh', 'https://mastodon.social/@a/1234567'];
  const details = { provider: 'YouTube', title: 'The tide', frame: film };
  const picture = { src: `/uploads/${path}`, width: 480, height: 270 };
  const fetchedAt = new Date();
  await app.db.embed.create({
    data: { url: film, details: JSON.stringify({ ...details, picture }), fetchedAt },
  });
  const { value } = await openEditor(`Before.\n\n${film}\n\n<${note}>\n\nIn words: ${film}`);
  const embed = page.locator('.md-embed');
  await expect.poll(() => embed.innerText()).toBe('The tide\nYouTube');
  expect(await embed.locator('img').getAttribute('src')).toBe(picture.src);
  // The server learns of the other one while the editor is open.
  const post = { provider: 'mastodon.social', title: '', text: 'Low water.', author: 'A', frame: null };
  await app.db.embed.create({ data: { url: note, details: JSON.stringify(post), fetchedAt } });
  await embed.nth(1).waitFor();
  expect(await embed.nth(1).innerText()).toBe('Low water.\nmastodon.social');
  await embed.first().click();
  await expect.poll(() => embed.count()).toBe(1);
  await page.keyboard.press('Control+Home');
  await expect.poll(() => embed.count()).toBe(2);
  expect(await value()).toBe(`Before.\n\n${film}\n\n<${note}>\n\nIn words: ${film}`);
});

it('the reference of a footnote stands right behind its word, its note takes the caret, and Esc leads back', async () => {
  const { value } = await openEditor('A gauge');
  await goTo('End');
  await page.keyboard.type(' /foot');
  await page.getByRole('option', { name: /Footnote/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Kept since 1911.');
  await expect.poll(value).toBe('A gauge[^1]\n\n[^1]: Kept since 1911.');
  await page.keyboard.press('Escape');
  await page.keyboard.type(' on the pier.');
  await expect.poll(value).toBe('A gauge[^1] on the pier.\n\n[^1]: Kept since 1911.');
});

it('footnotes and links say what they point to, at the caret and below the pointer', async () => {
  const other = await createPost(app, { authorId: userId, title: 'The other post' });
  await openEditor(
    `Start\n\nA note[^a] and [a link](/posts/${other.slug}), [gone](/posts/gone-for-good).\n\n[^a]: What it says.\n\n> [!TIP]\n> As he said [sic].\n`,
  );
  await expect.poll(() => page.locator('.md-callout').allTextContents()).toEqual(['TIP']);
  expect(await page.locator('.md-link').allTextContents()).toEqual(['a link', 'gone']);
  expect(await page.locator('.cm-line', { hasText: '[sic]' }).count()).toBe(1);
  const preview = page.locator('.md-preview');
  await page.locator('.md-link', { hasText: 'a link' }).hover();
  await preview.getByText('The other post').waitFor();
  await preview.getByText(`${other.status} · /posts/${other.slug}`).waitFor();
  await goTo('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // One step beyond the words: the reference is passed as a whole.
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowRight');
  await preview.getByText('What it says.').waitFor();
  await page.locator('.md-link', { hasText: 'gone' }).click();
  await preview.getByText('There is no post at this address.').waitFor();
});

it('axe finds nothing in grids, galleries, previews and the framing of a cover', async () => {
  const { id: coverMediaId, path } = await createMedia(app, { alt: 'A quay' });
  const body = `A [link](/posts/none).\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n![One](/uploads/${path}) ![Two](/uploads/${path})\n`;
  const post = await createPost(app, { body, authorId: userId, coverMediaId });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [360, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await session.open(`posts/${post.id}`);
      await page.locator('.framing').waitFor();
      await page.locator('.md-gallery').waitFor();
      await page.locator('.md-grid textarea').first().focus();
      expect(await examine(page, `table, ${colorScheme}, ${width}`)).toEqual([]);
      // On a phone the settings, where a cover is framed, are over the text.
      if (width === 360) await toggleSettings(page);
      await page.locator('.md-link').click();
      await page.locator('.md-preview').waitFor();
      expect(await examine(page, `preview, ${colorScheme}, ${width}`)).toEqual([]);
      if (width === 360) await toggleSettings(page);
    }
});
