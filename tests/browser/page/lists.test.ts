// Lists that show what they list, and what one can do with it.
import { beforeEach, expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
let { app, session, page } = here;
beforeEach(() => {
  ({ app, session, page } = here);
});

it('a post shows its cover, and what one does with several posts comes with the first that is chosen', async () => {
  const media = await createMedia(app);
  await createPost(app, { title: 'With a cover', coverMediaId: media.id, authorId: here.userId });
  await createPost(app, { title: 'Without one', authorId: here.userId });
  await session.open('posts');
  const row = (title: string) => page.locator('.post-row', { hasText: title });
  expect(await row('With a cover').locator('img').getAttribute('src')).toContain(media.path);
  expect(await row('Without one').locator('img').count()).toBe(0);
  const action = page.getByRole('combobox', { name: 'With the selected posts' });
  await action.waitFor({ state: 'hidden' });
  const top = (await row('Without one').boundingBox())!.y;
  await row('Without one').getByRole('checkbox').check();
  await action.waitFor();
  // Its place was kept, so that no row moves under the pointer.
  expect((await row('Without one').boundingBox())!.y).toBe(top);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).uncheck();
  await action.waitFor({ state: 'hidden' });
});

it('the list follows what one types: focus and caret stay, the address follows, the number is read out', async () => {
  for (const title of ['Low harbour', 'High harbour', 'The lighthouse'])
    await createPost(app, { title, authorId: here.userId });
  await session.open('posts?sort=title');
  const search = page.getByRole('searchbox', { name: 'Search posts' });
  const titles = () => page.locator('.post-row-title').allInnerTexts();
  await search.focus();
  await page.keyboard.type('harbor');
  await page.getByText('No posts found.').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('u');
  await expect.poll(titles).toEqual(['High harbour', 'Low harbour']);
  expect(
    await search.evaluate((field: HTMLInputElement) => [
      document.activeElement === field,
      field.value,
      field.selectionStart,
    ]),
  ).toEqual([true, 'harbour', 6]);
  expect(new URL(page.url()).search).toBe('?q=harbour&sort=title');
  expect(await page.getByRole('status').allInnerTexts()).toContain('2 posts found.');
  // What the server sends at this address is the same list, and works as one.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  expect(await page.locator('[data-chosen]').innerText()).toBe('2 selected');
  await page.reload();
  expect(await titles()).toEqual(['High harbour', 'Low harbour']);
  await page.getByRole('link', { name: 'Clear' }).click();
  await page.getByRole('link', { name: 'The lighthouse' }).waitFor();
  await page.getByRole('link', { name: 'Clear' }).waitFor({ state: 'hidden' });
});

it('keys move between posts, select them, and do what a row offers, but never while one types', async () => {
  for (const title of ['Key C', 'Key B', 'Key A'])
    await createPost(app, { title, status: 'published', authorId: here.userId, publishedAt: new Date() });
  await session.open('posts?sort=title&q=key');
  await page.locator('.scripted').waitFor();
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press('j');
  expect(await focusedText()).toBe('Key A');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  expect(await focusedText()).toBe('Key B');
  await page.keyboard.press('x');
  expect(await page.getByRole('checkbox', { name: 'Select “Key B”' }).isChecked()).toBe(true);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Move to trash…').waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  const search = page.getByRole('searchbox', { name: 'Search posts' });
  await search.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' jxv?');
  expect(await search.inputValue()).toBe('key jxv?');
  await session.open('posts?sort=title&q=key');
  await page.locator('.scripted').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Delete');
  await page.getByRole('heading', { name: 'Move 1 post to the trash?' }).waitFor();
  await page.goBack();
  await page.locator('.post-row', { hasText: 'Key C' }).hover();
  await page.locator('.post-row', { hasText: 'Key C' }).getByRole('link', { name: 'View' }).click();
  await page.waitForURL('**/posts/**');
  await page.getByRole('heading', { name: 'Key C' }).waitFor();
  await session.open('posts?sort=title&q=key');
  await page.locator('.scripted').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('.writing[data-live]').waitFor();
});

it('on a phone a row opens a menu of what one does with a post, without scripts too', async () => {
  const { id } = await createPost(app, { title: 'Small', authorId: here.userId });
  await page.setViewportSize({ width: 390, height: 844 });
  await session.open('posts?q=small');
  await page.getByRole('button', { name: 'Actions for “Small”' }).click();
  const menu = page.locator(`#actions-${id}`);
  await menu.getByRole('button', { name: 'Move to trash…' }).waitFor();
  await menu.getByRole('button', { name: 'Duplicate' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/admin/posts/') && !url.pathname.includes(id));
});

it('a click on a day of the calendar writes a post for it', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 15));
  const day = next.toISOString().slice(0, 10);
  await session.open(`calendar?month=${day.slice(0, 7)}`);
  const { x, y, width, height } = (await page.locator(`[data-day="${day}"]`).boundingBox())!;
  await page.mouse.click(x + width / 2, y + height - 12);
  await page.locator('.writing[data-live]').waitFor();
  expect(await page.locator('[name=publishedAt]').inputValue()).toBe(`${day}T09:00`);
  await page.getByRole('button', { name: /^Schedule for/ }).waitFor();
  // Days that are over are for reading.
  await session.open('calendar?month=2020-05');
  await page.locator('[data-day="2020-05-15"]').waitFor();
  expect(await page.locator('.day-new').count()).toBe(0);
});

it('a drag moves a scheduled post to another day, where it keeps its time', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1));
  const on = (day: number) => `${month.toISOString().slice(0, 8)}${day}`;
  const { id } = await createPost(app, {
    title: 'To be dragged',
    status: 'scheduled',
    publishedAt: new Date(`${on(15)}T07:40:00Z`),
    authorId: here.userId,
  });
  await session.open(`calendar?month=${on(15).slice(0, 7)}`);
  const entry = page.locator('.entry', { hasText: 'To be dragged' });
  await entry.and(page.locator('[draggable=true]')).waitFor();
  await entry.dragTo(page.locator(`[data-day="${on(17)}"]`));
  await expect
    .poll(async () => (await app.db.post.findUniqueOrThrow({ where: { id } })).publishedAt?.toISOString())
    .toBe(`${on(17)}T07:40:00.000Z`);
  await page.locator(`[data-day="${on(17)}"]`, { hasText: 'To be dragged' }).waitFor();
});

it('files dropped anywhere on the library are uploaded, and chosen ones go to the trash together', async () => {
  await session.open('media');
  await page.locator('.scripted').waitFor();
  const transfer = await page.evaluateHandle(async () => {
    const files = new DataTransfer();
    // The same bytes would be one file.
    for (const [index, name] of ['dropped-a.png', 'dropped-b.png'].entries()) {
      const canvas = new OffscreenCanvas(20 + index, 20);
      canvas.getContext('2d')!.fillRect(0, 0, 20, 20);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      files.items.add(new File([blob], name, blob));
    }
    return files;
  });
  await page.dispatchEvent('h1', 'dragover', { dataTransfer: transfer });
  await page.getByText('Drop files to upload them').waitFor();
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer });
  await page.waitForURL('**/media?stored=2');
  const files = page.locator('.media-grid > li', { hasText: 'dropped-' });
  expect(await files.count()).toBe(2);
  await page.getByRole('searchbox', { name: 'Search names and descriptions' }).fill('dropped-b');
  await expect.poll(() => files.count()).toBe(1);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Videos');
  await page.locator('.empty', { hasText: 'No matching files.' }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=dropped-b&kind=video');
  await session.open('media?use=unused&q=dropped-');
  const trash = page.getByRole('button', { name: 'Move to trash' });
  await trash.waitFor({ state: 'hidden' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.locator('[data-chosen]', { hasText: '2 selected' }).waitFor();
  await trash.click();
  await page.getByText('2 files moved to the trash.').waitFor();
  expect(await files.count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await files.first().waitFor();
});
