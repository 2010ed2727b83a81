// Languages that are typed with an input method: the Enter that takes one of its choices does nothing else.
import { expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();

/**
 * Presses Enter while the input method shows its choices; in Safari the composition has ended by then.
 * @returns true if the page has taken the key for itself
 */
const isTaken = (field: Locator) =>
  field.evaluate((element) =>
    [{ isComposing: true }, { keyCode: 229 }].some((method) => {
      const options = { key: 'Enter', bubbles: true, cancelable: true, ...method };
      return !element.dispatchEvent(new KeyboardEvent('keydown', options));
    }),
  );

it('in a caption, the palette, the tags and the name of a category', async () => {
  const { page, openEditor } = here;
  await openEditor('![Quay](/uploads/quay.png "Harbour")');
  const caption = page.locator('.md-figure input[type=text]').first();
  await caption.fill('港');
  expect(await isTaken(caption)).toBe(false);
  await page.locator('[name=title]').focus();
  await page.keyboard.press('Control+k');
  const palette = page.locator('dialog.palette input');
  await palette.fill('Post');
  await page.locator('dialog.palette [role=option]').first().waitFor();
  expect(await isTaken(palette)).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await page.locator('.publish-more > summary').click();
  const tags = page.locator('#publish-tags');
  await tags.pressSequentially('港');
  expect(await isTaken(tags)).toBe(false);
  expect(await tags.inputValue()).toBe('港');
  await page.getByRole('button', { name: 'New category' }).click();
  const category = page.locator('#publish-new-category');
  await category.fill('港');
  expect(await isTaken(category)).toBe(false);
});

it('the comma of an Arabic keyboard parts tags', async () => {
  const { page, openEditor } = here;
  await openEditor('Boats.');
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await page.locator('.publish-more > summary').click();
  const tags = page.locator('#publish-tags');
  const chips = page.locator('.chips:has(#publish-tags) .chip');
  await tags.fill('سفر، بحر');
  await tags.press('Enter');
  await chips.nth(1).waitFor();
  expect(await chips.allInnerTexts()).toEqual([
    expect.stringContaining('سفر'),
    expect.stringContaining('بحر'),
  ]);
});
