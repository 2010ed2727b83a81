// A dialog that closes gives the focus back with the caret, so that no key is lost.
import { expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();

async function openPalette(): Promise<void> {
  await here.page.keyboard.press('Control+p');
  await here.page.locator('dialog.palette').getByRole('option').first().waitFor();
}

it('after Esc in the palette the title takes the keys at its caret', async () => {
  const { page, openEditor } = here;
  await openEditor('The text.');
  const title = page.locator('[name=title]');
  await title.fill('Fog the bay');
  await title.press('Home');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await openPalette();
  await page.keyboard.press('Escape');
  await page.keyboard.type(' in');
  await expect.poll(() => title.inputValue()).toBe('Fog in the bay');
});

it('the text has its caret again in the moment in which the palette closes', async () => {
  const { page, openEditor, goTo } = here;
  const { value } = await openEditor('Before.');
  await goTo('End');
  await openPalette();
  // In one step: on a busy device keys come before anything that the editor does later.
  const isTyped = await page.locator('dialog.palette').evaluate((dialog: HTMLDialogElement) => {
    dialog.close();
    return document.execCommand('insertText', false, ' After.');
  });
  expect(isTyped).toBe(true);
  await expect.poll(value).toBe('Before. After.');
});

it('a cell of a table leaves Ctrl+P to the page, and takes the keys after Esc', async () => {
  const { page, openEditor } = here;
  const { value } = await openEditor('| Pier |\n| --- |\n| North |');
  const cell = page.getByRole('textbox', { name: 'Pier, row 1' });
  await cell.press('End');
  await openPalette();
  await page.keyboard.press('Escape');
  await page.keyboard.type(' end');
  await expect.poll(value).toContain('| North end |');
});
