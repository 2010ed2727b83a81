// Files in the editor: dropped, chosen and refused.
import { beforeEach, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { picture } from '#tests/support/images.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
beforeEach(() => {
  ({ app, page } = here);
});

interface Dropped {
  name: string;
  type: string;
  bytes: number[];
}

const photo = async (name: string, seed?: number): Promise<Dropped> => ({
  name,
  type: 'image/jpeg',
  bytes: [...(await picture({ width: 80, height: 60, seed }))],
});
const paper = (bytes: string): Dropped => ({
  name: 'Tide tables.pdf',
  type: 'application/pdf',
  bytes: [...Buffer.from(bytes)],
});

/** Drops files as a mouse does, `right` pixels into the element. @returns false when the browser would open them */
const dropOn = (target: Locator, files: Dropped[], right = 2): Promise<boolean> =>
  target.first().evaluate(
    (element, { files, right }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, type, bytes } of files)
        dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const { left, top } = element.getBoundingClientRect();
      const place = { clientX: left + right, clientY: top + 5, bubbles: true, cancelable: true };
      element.dispatchEvent(new DragEvent('dragover', { dataTransfer, ...place }));
      return !element.dispatchEvent(new DragEvent('drop', { dataTransfer, ...place }));
    },
    { files, right },
  );
const line = (number: number) => page.locator('.cm-line').nth(number);
const PICTURE = String.raw`!\[\]\(\/uploads\/[^)]+\)`;

it('a dropped picture has caption and alt to type', async () => {
  const { value } = await openEditor('Before.\n\nAfter.');
  await dropOn(line(2), [await photo('quay.jpg')]);
  await expect.poll(value, { timeout: 30_000 }).toMatch(new RegExp(`^Before\\.\n\n${PICTURE}\n\nAfter\\.$`));
  await page.getByLabel('Caption').fill('The quay "at dawn"');
  await page.getByLabel('Caption').press('Enter');
  // Enter leads on: to the description, and from there to the text below.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Description for people who can’t see it');
  await page.keyboard.type('A quay [old]');
  await page.keyboard.press('Enter');
  await page.keyboard.type('On. ');
  await expect.poll(value).toMatch(/\n\nOn\. After\.$/);
  await expect.poll(value).toMatch(/!\[A quay \\\[old\\\]\]\(\/uploads\/[^)]+ "The quay \\"at dawn\\""\)/);
});

it('a dropped file that cannot stand in a text is refused, and changes nothing', async () => {
  const { post, value } = await openEditor('Before.');
  await goTo('End');
  const broken = { ...(await photo('broken.png')), type: 'image/png', bytes: [1, 2, 3] };
  await dropOn(line(0), [broken]);
  await page
    .locator('.md-upload', { hasText: 'broken.png: ' })
    .getByRole('button', { name: 'Try again' })
    .waitFor();
  // The button disappears with the upload; what is typed next is in the text.
  await page.locator('.md-upload').getByRole('button', { name: 'Dismiss' }).click();
  await page.keyboard.type('Here. ');
  await expect.poll(value).toContain('Here. ');
  await dropOn(line(0), [paper('no paper')]);
  await page.locator('.md-upload', { hasText: 'Tide tables.pdf: ' }).waitFor();
  await expect
    .poll(async () => (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).body)
    .toBe(await value());
});

it('dropped pictures are paragraphs of their own, in their order, and cut no paragraph in two', async () => {
  const { value } = await openEditor('One line\nand another.\n\nThe end.');
  const two = [await photo('first.jpg', 11), await photo('second.jpg', 12)];
  await dropOn(line(0), two);
  const both = `${PICTURE}\n\n${PICTURE}`;
  const text = 'One line\nand another\\.';
  await expect.poll(value, { timeout: 30_000 }).toMatch(new RegExp(`^${both}\n\n${text}\n\nThe end\\.$`));
  const stored = await app.db.media.findMany({ select: { path: true, originalName: true } });
  const nameOf = new Map(stored.map(({ path, originalName }) => [path, originalName]));
  const shown = [...(await value()).matchAll(/\/uploads\/([^)]+)/g)].map(([, path]) => nameOf.get(path!));
  expect(shown).toEqual(['first.jpg', 'second.jpg']);
  // Within a line of the paragraph: behind the whole of it.
  await dropOn(page.locator('.cm-line', { hasText: 'One line' }), [await photo('third.jpg', 13)], 30);
  const after = `^${both}\n\n${text}\n\n${PICTURE}\n\nThe end\\.$`;
  await expect.poll(value, { timeout: 30_000 }).toMatch(new RegExp(after));
});

it('uploads stand in the order of their files', async () => {
  await openEditor('Before.');
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/admin/media', (route) => held.then(() => route.continue()));
  await dropOn(line(0), [await photo('first.jpg', 21), await photo('second.jpg', 22)], 40);
  await page.locator('.md-upload').nth(1).waitFor();
  await dropOn(line(0), [await photo('third.jpg', 23)], 40);
  await page.locator('.md-upload').nth(2).waitFor();
  const names = await page.locator('.md-upload').allInnerTexts();
  expect(names.map((text) => /(\w+)\.jpg/.exec(text)?.[1])).toEqual(['first', 'second', 'third']);
  goOn();
  await page.locator('.md-upload').first().waitFor({ state: 'detached' });
});

it('a dropped paper becomes a link', async () => {
  const { value } = await openEditor('Before.');
  await dropOn(line(0), [paper('%PDF-1.4\n%%EOF\n')], 40);
  await expect
    .poll(value, { timeout: 30_000 })
    .toMatch(/^Before\.\n\n\[Tide tables\]\(\/uploads\/[^)]+\.pdf\)\n$/);
});

it('a picture that is dropped on the cover’s panel is the cover; beside it a file opens no page', async () => {
  const { post, value } = await openEditor('Text.');
  for (const place of ['.title-input', '.editor-bar', '[name=slug]', 'body'])
    expect(await dropOn(page.locator(place), [paper('%PDF-1.4')]), place).toBe(true);
  const panel = page.locator('details.side-panel', { has: page.locator('.covers') });
  const before = await panel.locator('[name=coverMediaId]').count();
  expect(await dropOn(panel.locator('summary').first(), [await photo('cover.jpg', 14)])).toBe(true);
  await expect.poll(() => panel.locator('[name=coverMediaId]').count()).toBe(before + 1);
  await expect
    .poll(async () => (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).coverMediaId)
    .not.toBeNull();
  expect(await value()).toBe('Text.');
  // A picture of the text is there to choose at once, too.
  await dropOn(line(0), [await photo('inside.jpg', 15)]);
  await expect.poll(() => panel.locator('[name=coverMediaId]').count()).toBe(before + 2);
});

it('an uploaded picture shows at once, and whoever types on begins a paragraph', async () => {
  const { value } = await openEditor('Before.');
  await goTo('End');
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.type('\n\n/upload');
  await page.getByRole('option', { name: /Upload pictures/ }).waitFor();
  await page.keyboard.press('Enter');
  const chooser = await choosing;
  const buffer = await picture({ width: 80, height: 60, seed: 3 });
  await chooser.setFiles({ name: 'pier.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByLabel('Caption').waitFor();
  await page.keyboard.type('After it.');
  await expect.poll(value).toMatch(/^Before\.\n\n!\[\]\(\/uploads\/[^)]+\)\n\nAfter it\.$/);
  // It asks for a description alone; the button that says so shows the rest.
  const figure = page.locator('.md-figure');
  await figure.getByLabel('Description for people').waitFor();
  expect(await figure.getByLabel('Decorative').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'No description yet' }).click();
  await page.keyboard.type('A pier');
  await expect.poll(value).toMatch(/!\[A pier\]/);
  expect(await figure.getByLabel('Decorative').isVisible()).toBe(true);
});
