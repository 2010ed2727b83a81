// Pieces of Markdown that are saved under a name and inserted again.
import { expect, it } from 'vitest';
import { examine } from '#tests/support/axe.ts';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import type { TestServer } from '#tests/support/server.ts';

const here = useEditorPage();

it('by keys alone: selected text becomes a snippet, which the menu and the dialog insert', async () => {
  const { page } = here;
  let requests = 0;
  page.on('request', (request) => void (requests += Number(request.url().endsWith('/snippets'))));
  const { value } = await here.openEditor('Tickets at the **pier** only.\n\nLast.');
  await here.goTo('Home');
  await here.press('Shift+End');
  // Nobody has asked for one yet.
  expect(requests).toBe(0);
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('button', { name: 'Snippets' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Snippets' });
  await dialog.getByRole('textbox').press('Enter');
  await dialog.getByText('Name is required.').waitFor();
  expect(await examine(page, 'dialog of snippets')).toEqual([]);
  await dialog.getByRole('textbox').fill('Where to buy');
  await dialog.getByRole('textbox').press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await here.goTo('End');
  await here.press('Enter');
  await here.type('/where');
  await page.getByRole('option', { name: /^Where to buy/ }).waitFor();
  await here.press('Enter');
  const once = 'Tickets at the **pier** only.\n\nLast.\n\nTickets at the **pier** only.';
  await expect.poll(value).toBe(once);
  await here.press('Enter');
  await here.type('/snippets');
  await page.getByRole('option', { name: /^Snippets/ }).waitFor();
  await here.press('Enter');
  await dialog.getByRole('button', { name: 'Where to buy' }).press('Enter');
  await expect.poll(value).toBe(`${once}\n\nTickets at the **pier** only.`);
  const another = await here.openEditor('Next post.');
  await here.goTo('End');
  await here.press('Enter');
  await here.type('/where');
  await page.getByRole('option', { name: /^Where to buy/ }).waitFor();
  await here.press('Enter');
  await expect.poll(another.value).toBe('Next post.\n\nTickets at the **pier** only.');
});

it('without scripts snippets are made, copied, renamed and deleted', async () => {
  await here.session.open('posts');
  const server = { url: new URL(here.page.url()).origin } as TestServer;
  const { page, open, close } = await openBrowserSession(here.app, server, here.userId, {
    javaScriptEnabled: false,
  });
  await open('posts/new');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('link', { name: 'Snippets' }).click();
  const form = page.getByRole('region', { name: 'New snippet' });
  await form.getByLabel('Name').fill('Greeting');
  await form.getByLabel('Text').fill('   ');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('Text is required.').waitFor();
  expect(await form.getByLabel('Name').inputValue()).toBe('Greeting');
  await form.getByLabel('Text').fill('Dear *reader*,\n\nwelcome.');
  await form.getByRole('button', { name: 'Create' }).click();
  const snippet = page.locator('details.panel', { hasText: 'Greeting' });
  await snippet.locator('summary').click();
  expect(await snippet.getByLabel('Text').inputValue()).toBe('Dear *reader*,\n\nwelcome.');
  await snippet.getByLabel('Name').fill('Welcome');
  await snippet.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.locator('details.panel summary', { hasText: 'Welcome' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Snippet deleted.').waitFor();
  expect(await page.locator('details.panel', { hasText: 'Welcome' }).count()).toBe(0);
  await close();
});
