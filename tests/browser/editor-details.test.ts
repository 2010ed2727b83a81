// Small things of the editor: titles of tabs, the focus after an upload, marks in captions and cells, the preview
// without a network, lines in another direction.
import { beforeEach, expect, it } from 'vitest';
import { STILL_MESSAGE } from '#app/media/encode/formats.ts';
import { fromMenu } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia } from '#tests/support/factories.ts';
import { animatedPng, picture } from '#tests/support/images.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { page } = here;
beforeEach(() => {
  ({ page } = here);
});

it('the tab and the heading follow the title, also after the first autosave', async () => {
  await here.session.open('posts/new');
  await page.locator('.writing[data-live]').waitFor();
  const heading = () => page.locator('h1').textContent();
  expect(await page.title()).toMatch(/^New post · /);
  await page.locator('[name=title]').fill('A day at sea');
  await expect.poll(() => page.title()).toMatch(/^A day at sea · /);
  await page.waitForURL(/posts\/[0-9a-f-]{36}$/);
  expect(await heading()).toBe('A day at sea');
  await page.reload();
  expect(await page.title()).toMatch(/^A day at sea · /);
  await page.goto(`${page.url()}/revisions`);
  expect(await page.title()).toMatch(/^A day at sea · Revisions · /);
});

it('after an upload by the toolbar, the caret is behind the picture', async () => {
  const { value } = await openEditor('First.\n\nLast.');
  await goTo('Home');
  await here.press('ArrowRight', 'ArrowRight');
  await page.locator('#upload-pictures').setInputFiles({
    name: 'dot.png',
    mimeType: 'image/png',
    buffer: await picture(),
  });
  await page.locator('.md-figure img').waitFor();
  await page.keyboard.type('Typed.');
  await expect.poll(value).toMatch(/^First\.\n\n!\[\]\(\S+\)\n\nTyped\.\n\nLast\.$/);
});

it('an animation that stays still is placed, and the loss is said until it is dismissed', async () => {
  const { value } = await openEditor('First.');
  await page.locator('#upload-pictures').setInputFiles({
    name: 'waves.png',
    mimeType: 'image/png',
    buffer: await animatedPng(3),
  });
  await page.locator('.md-figure img').waitFor();
  const loss = page.locator('.md-upload');
  expect(await loss.innerText()).toContain(`waves.png: ${STILL_MESSAGE}`);
  await loss.getByRole('button', { name: 'Dismiss' }).click();
  expect(await loss.count()).toBe(0);
  await expect.poll(value).toMatch(/^!\[\]\(\S+\)\n\nFirst\.$/);
});

it('captions and cells show their marks as the page does until somebody types there', async () => {
  await openEditor(
    '![a](/x.png "At *dawn*, [Ana](/a)")\n\n| **One** | `two` |\n|---|---|\n| [x](/y) | 5 * 3 |\n\nEnd.',
  );
  await goTo('End');
  const shown = (selector: string) => page.locator(`${selector} .md-shown`).allTextContents();
  await expect.poll(() => shown('.md-grid')).toEqual(['One', 'two', 'x']);
  expect(await shown('.md-figure')).toEqual(['At dawn, Ana']);
  expect(await page.locator('.md-figure .md-shown em').textContent()).toBe('dawn');
  const cell = page.locator('.md-cell textarea').first();
  await cell.click();
  expect(await cell.inputValue()).toBe('**One**');
  expect(await page.locator('.md-cell .md-shown').first().isVisible()).toBe(false);
  await page.keyboard.press('End');
  await page.keyboard.type(' more');
  await page.locator('.md-figure-caption').click();
  await expect.poll(() => shown('.md-grid')).toEqual(['One more', 'two', 'x']);
});

it('the preview says that the writer is offline, and is up to date again with the network', async () => {
  await openEditor('Words.');
  await fromMenu(page, 'Live preview');
  await page.locator('.live-preview').getByText('Words.').waitFor();
  await page.context().setOffline(true);
  await goTo('End');
  await page.keyboard.type(' More.');
  await page.getByText('The preview is out of date: you’re offline.').waitFor();
  await page.context().setOffline(false);
  await page.locator('.live-preview').getByText('Words. More.').waitFor();
  here.session.troubles.length = 0;
});

it('an Arabic line in an English post is written from the right', async () => {
  await openEditor('Hello.\n\nمرحبا بالعالم');
  await expect
    .poll(() =>
      page.locator('.cm-line').evaluateAll((lines) => lines.map((line) => getComputedStyle(line).direction)),
    )
    .toEqual(['ltr', 'ltr', 'rtl']);
});

it('the editor warns of a cover that is smaller than its place', async () => {
  const wide = { width: 1_200, height: 800 };
  const [small, large] = [
    await createMedia(here.app, { width: 24, height: 24 }),
    await createMedia(here.app, wide),
  ];
  await openEditor('Words.');
  const choose = (id: string) =>
    page.locator(`[name=coverMediaId][value="${id}"]`).evaluate((input: HTMLElement) => input.click());
  const warning = page.getByText('This picture is only 24 pixels wide.');
  await choose(small.id);
  await expect.poll(() => warning.count()).toBe(1);
  await choose(large.id);
  await expect.poll(() => warning.count()).toBe(0);
});
