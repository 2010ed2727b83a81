// Tools where they could break the text: in the cells of a table, over several paragraphs, above a table that is typed.
import { beforeEach, expect, it } from 'vitest';
import { fromMenu } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { page } = here;
beforeEach(() => {
  ({ page } = here);
});

const tool = (name: string) => page.getByRole('toolbar').first().getByRole('button', { name, exact: true });

it('after a tool, a typed table stays where it is typed', async () => {
  const { value } = await openEditor('one word');
  await goTo('End');
  await press('Control+Shift+ArrowLeft');
  await tool('Bold').click();
  await press('End', 'Enter', 'Enter');
  for (const row of ['| a | b |', '| - | - |', '| 1 | 2 |', '']) {
    await type(row);
    await press('Enter');
  }
  await type('After');
  await expect.poll(value).toBe('one **word**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nAfter');
  // With the keyboard the button has the focus.
  await press('Control+Shift+ArrowLeft');
  await tool('Bold').focus();
  await press('Enter', 'End', 'Enter', 'Enter');
  for (const row of ['| c |', '| - |', '| 3 |', '']) {
    await type(row);
    await press('Enter');
  }
  await type('Last');
  await expect.poll(value).toContain('**After**\n\n| c |\n| - |\n| 3 |\n\nLast');
});

it('the tools format the words of a cell; what is no words comes below the table', async () => {
  const { value } = await openEditor('| a | b |\n| - | - |\n| one | two |\n\nAfter.');
  const cell = page.locator('.md-grid textarea').nth(2);
  await cell.click();
  await press('Control+a');
  await tool('Bold').click();
  await expect.poll(value).toContain('| **one** | two |');
  await tool('Bold').click();
  await expect.poll(value).toContain('| one | two |');
  await tool('Link').click();
  await type('https://example.org/');
  await expect.poll(value).toContain('| [one](https://example.org/) | two |');
  await page.locator('.md-grid textarea').nth(3).click();
  await press('Control+a', 'Control+k');
  await type('/x');
  await expect.poll(value).toContain('| [two](/x) |');
  // Blocks are in the formatting bar only.
  await fromMenu(page, 'Formatting bar');
  await page.locator('.md-grid textarea').nth(3).click();
  await tool('List').click();
  await type('item');
  await expect.poll(value).toContain('| [two](/x) |\n\n- item\n\nAfter.');
});

it('the tools come to selected words of a cell, also by the keyboard, and go with them', async () => {
  const { value } = await openEditor('| a | b |\n| - | - |\n| one | two |\n\nAfter.');
  const tools = page.locator('.md-words-tools');
  await page.locator('.md-grid textarea').nth(2).dblclick();
  await expect.poll(() => tools.getByRole('button').count()).toBe(4);
  const [words, box] = [
    await page.locator('.md-grid textarea').nth(2).boundingBox(),
    await tools.boundingBox(),
  ];
  expect(Math.abs(words!.y - box!.y - box!.height)).toBeLessThan(20);
  await press('Alt+F10', 'ArrowRight', 'Enter');
  await expect.poll(value).toContain('| _one_ | two |');
  await press('Alt+F10', 'Escape', 'ArrowRight');
  await expect.poll(() => tools.count()).toBe(0);
});

it('marks and lists go over several paragraphs', async () => {
  const { value } = await openEditor('one \n\n- two\n- three');
  await goTo('Home');
  await press('Control+a');
  await press('Control+b');
  await expect.poll(value).toBe('**one** \n\n- **two**\n- **three**');
  await press('Control+b');
  await expect.poll(value).toBe('one \n\n- two\n- three');
  await press('Control+a', 'Control+Shift+8');
  await expect.poll(value).toBe('- one \n\n- two\n- three');
});

it('Backspace below a table leads into it and makes no row of the paragraph', async () => {
  const table = '| a | b |\n| - | - |\n| 1 | 2 |\n\n';
  const { value } = await openEditor(`${table}After.`);
  await goTo('End');
  await press('Home', 'Backspace');
  await type('x');
  await expect.poll(value).toBe(`${table.replace('| 1 ', '| 1x ')}After.`);
});
