// Find and replace in the text.
import { beforeEach, expect, it } from 'vitest';
import { fromMenu } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { page } = here;
beforeEach(() => {
  ({ page } = here);
});

const panel = () => page.getByRole('search', { name: 'Find and replace' });
const count = () => panel().getByRole('status').innerText();

it('by keys: finds, counts, replaces one and all, and goes back to the text', async () => {
  const { value } = await openEditor('The tide.\n\nA tide, **tide** and Tide.\n');
  await goTo('Home');
  await press('Control+f');
  await type('tide');
  await expect.poll(count).toBe('– of 4');
  await press('Enter', 'Enter');
  await expect.poll(count).toBe('2 of 4');
  await press('Shift+Enter');
  await expect.poll(count).toBe('1 of 4');
  await panel().getByRole('textbox', { name: 'Replace with' }).focus();
  await type('ebb');
  await press('Enter');
  await expect.poll(value).toBe('The ebb.\n\nA tide, **tide** and Tide.\n');
  await panel().getByRole('button', { name: 'Match case' }).click();
  await expect.poll(count).toMatch(/ of 2$/);
  await panel().getByRole('button', { name: 'Replace all' }).click();
  await expect.poll(value).toBe('The ebb.\n\nA ebb, **ebb** and Tide.\n');
  await expect.poll(count).toBe('No matches');
  await panel().getByRole('textbox', { name: 'Find' }).focus();
  await press('Escape');
  await panel().waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement!.className)).toContain('cm-content');
});

it('from the menu, with what a regular expression and whole words find', async () => {
  await openEditor('Pier 1, pier 22 and piers.\n');
  await fromMenu(page, 'Find and replace');
  await type('pier');
  await expect.poll(count).toMatch(/ of 3$/);
  await panel().getByRole('button', { name: 'Whole words' }).click();
  await expect.poll(count).toMatch(/ of 2$/);
  await panel().getByRole('button', { name: 'Regular expression' }).click();
  await panel()
    .getByRole('textbox', { name: 'Find' })
    .fill(String.raw`\d+`);
  await expect.poll(count).toMatch(/ of 2$/);
  // The form of the post has no field of the panel.
  expect(
    await page.evaluate(() =>
      new FormData(document.querySelector<HTMLFormElement>('form.editor')!).has('search'),
    ),
  ).toBe(false);
});
