// What cannot be loaded, such as offline, takes nothing away, says so, and comes when it can.
import { expect, it } from 'vitest';
import { testAtNight } from '#tests/support/at-night.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';
import { pasteRichText } from '#tests/support/paste.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;

/** The browser logs each request that failed; nothing else may go wrong. */
function forgetRefusedRequests(): void {
  const { troubles } = here.session;
  troubles.splice(0, troubles.length, ...troubles.filter((each) => !/^Failed to load resource/.test(each)));
}

it('Ctrl+P offline leaves the text and takes no key, and opens when the network is back', async () => {
  const { page } = here;
  const { value } = await openEditor('Before.');
  await goTo('End');
  await page.context().setOffline(true);
  await page.keyboard.press('Control+p');
  await page.keyboard.press('Escape');
  await page.keyboard.type(' After.');
  await expect.poll(value).toBe('Before. After.');
  await page.context().setOffline(false);
  await page.keyboard.press('Control+p');
  await page.locator('dialog.palette').waitFor();
  forgetRefusedRequests();
});

testAtNight('the library that could not be opened offline opens later', async () => {
  const { page } = here;
  await createMedia(here.app, { originalName: 'quay.webp', alt: 'The quay' });
  await openEditor('');
  await goTo('End');
  const openLibrary = async () => {
    await page.keyboard.type('/from the lib');
    await page.getByRole('option', { name: /Picture from the library/ }).click();
  };
  await page.context().setOffline(true);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('library-dialog'));
  await openLibrary();
  await failed;
  await page.context().setOffline(false);
  await openLibrary();
  await page.locator('dialog.library').waitFor();
  forgetRefusedRequests();
});

testAtNight('Ctrl+P and the library say that the server is away, and not that nothing matches', async () => {
  const { page } = here;
  const away = /The server cannot be reached\./;
  await openEditor('');
  await goTo('End');
  await page.keyboard.press('Control+p');
  const palette = page.locator('dialog.palette');
  await palette.getByRole('option').first().waitFor();
  await page.context().setOffline(true);
  await page.keyboard.type('nothing has this name');
  await palette.getByText(away).waitFor();
  await page.context().setOffline(false);
  await page.keyboard.type('!');
  await palette.getByText('Nothing matches.').waitFor();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  await page.locator('.cm-content:focus').waitFor();
  await page.keyboard.type('/from the lib');
  await page.getByRole('option', { name: /Picture from the library/ }).click();
  const library = page.locator('dialog.library');
  await library.waitFor();
  await page.context().setOffline(true);
  await library.getByRole('searchbox').fill('quay');
  await library.getByText(away).waitFor();
  await page.context().setOffline(false);
  await library.getByRole('searchbox').fill('no such quay');
  await library.getByText('No pictures match.').waitFor();
  forgetRefusedRequests();
});

it('the editor whose code comes late is the form that the server sent, and then has what was typed', async () => {
  const { page, session } = here;
  const { id } = await createPost(here.app, { title: 'Late', authorId: here.userId });
  let isBroken = true;
  await page.route(/\/editor-[^/]+\.js$/, (route) => (isBroken ? route.abort() : route.continue()));
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/editor-'));
  await session.open(`posts/${id}`);
  await failed;
  await page.locator('[name=body]').fill('Typed on a train.');
  isBroken = false;
  await page.locator('.cm-content', { hasText: 'Typed on a train.' }).waitFor();
  const row = () => here.app.db.post.findUniqueOrThrow({ where: { id } });
  await expect.poll(async () => (await row()).body).toBe('Typed on a train.');
  forgetRefusedRequests();
});

testAtNight('Ctrl+P in the palette changes nothing, and after Esc what is typed is in the text', async () => {
  const { page } = here;
  const { value } = await openEditor('Before.');
  await goTo('End');
  await page.keyboard.press('Control+p');
  await page.locator('dialog.palette').waitFor();
  await page.keyboard.press('Control+p');
  await page.keyboard.type('post');
  await expect.poll(() => page.locator('.palette input').inputValue()).toBe('post');
  await page.keyboard.press('Escape');
  await page.locator('dialog.palette').waitFor({ state: 'detached' });
  await page.keyboard.type(' After.');
  await expect.poll(value).toBe('Before. After.');
});

testAtNight('Enter and Backspace while the palette loads are the palette’s, not the text’s', async () => {
  const { page } = here;
  const { id } = await createPost(here.app, { title: 'Moles of the harbour', authorId: here.userId });
  await openEditor('Before.');
  await goTo('End');
  let load = () => {};
  const typed = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/palette-[^/]+\.js$/, (route) => typed.then(() => route.continue()));
  await page.keyboard.press('Control+p');
  await page.keyboard.type('moles off');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  expect(await page.locator('[name=body]').inputValue()).toBe('Before.');
  load();
  await expect.poll(() => page.url()).toMatch(new RegExp(`/posts/${id}$`));
});

it('the palette that cannot be loaded says that the server is away', async () => {
  const { page } = here;
  await openEditor('Before.');
  await page.context().setOffline(true);
  await goTo('End');
  await page.keyboard.press('Control+p');
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  await page.context().setOffline(false);
  forgetRefusedRequests();
});

it('“Publish” whose panel cannot be loaded publishes nothing unasked: offline it says so, else the page asks', async () => {
  const { page } = here;
  const { post } = await openEditor('Before.');
  const publish = page.getByRole('button', { name: 'Publish…', exact: true });
  // A connection that drops one request.
  await page.route(/\/panel-[^/]+\.js$/, (route) => route.abort());
  await page.route('**/state*', (route) => route.abort());
  await publish.click();
  await page.getByText('The post wasn’t changed (publish). Press the button again.').waitFor();
  await page.unroute('**/state*');
  await publish.click();
  await page.waitForURL(`**/posts/${post.id}/publish`);
  await page.getByRole('button', { name: 'Publish now' }).first().waitFor();
  const { status } = await here.app.db.post.findUniqueOrThrow({ where: { id: post.id } });
  expect(status).toBe('draft');
  forgetRefusedRequests();
});

it('a text pasted offline says that it lost its formatting, and keeps it when it is pasted again', async () => {
  const { page } = here;
  const { value } = await openEditor('');
  await goTo('End');
  const paste = () => pasteRichText(page, '<p>A <b>bold</b> word.</p>', 'A bold word.');
  await page.context().setOffline(true);
  await paste();
  await page.getByRole('alert').filter({ hasText: 'The formatting of the pasted text' }).waitFor();
  await expect.poll(value).toBe('A bold word.');
  await page.context().setOffline(false);
  await page.keyboard.press('Control+z');
  await expect.poll(value).toBe('');
  await paste();
  await expect.poll(value).toBe('A **bold** word.');
  forgetRefusedRequests();
});
