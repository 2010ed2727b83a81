// The editor and the lists in the width of a phone.
import type { Locator } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { confirmPublishing, fromMenu } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
const { openEditor } = here;
let { app, session, page } = here;
beforeEach(async () => {
  ({ app, session, page } = here);
  await page.setViewportSize({ width: 360, height: 740 });
});

/** The part of an element's height that the window shows, below the bar that stays there. */
const shareInSight = (element: Locator) =>
  element.evaluate((one) => {
    const bar = document.querySelector('.editor-bar')?.getBoundingClientRect().bottom ?? 0;
    const { top, bottom, height } = one.getBoundingClientRect();
    return (Math.min(bottom, window.innerHeight) - Math.max(top, bar)) / height;
  });

it('Preview shows the preview, which is below the text', async () => {
  await openEditor('Words.\n\n'.repeat(40));
  await fromMenu(page, 'Live preview');
  const preview = page.getByRole('region', { name: 'Live preview' });
  await expect.poll(() => shareInSight(preview)).toBeGreaterThan(0.9);
});

it.each([
  [360, 740],
  [1280, 800],
])('the keyboard map fits a window of %d x %d, where it can be scrolled', async (width, height) => {
  await page.setViewportSize({ width, height });
  await openEditor('Words.');
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Keyboard map' }).press('Enter');
  const keys = page.getByRole('dialog', { name: 'Keyboard' });
  await keys.waitFor();
  const box = (await keys.boundingBox())!;
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
  await keys.getByText('On a Mac').scrollIntoViewIfNeeded();
  await expect
    .poll(() =>
      keys
        .getByText('On a Mac')
        .evaluate((hint) => hint.getBoundingClientRect().bottom <= window.innerHeight),
    )
    .toBe(true);
});

it('focus mode leaves no gap above the bar once the text is scrolled', async () => {
  await openEditor('Words.\n\n'.repeat(40));
  await page.locator('.cm-content').press('Control+Shift+f');
  await page.locator('.editor[data-focus]').waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect
    .poll(() => page.locator('.editor-bar').evaluate((bar) => bar.getBoundingClientRect().top))
    .toBe(0);
});

it('what follows publishing is a sheet at the lower edge, as tall as its content', async () => {
  await openEditor('Words.');
  await page.locator('.editor-bar').getByRole('button', { name: 'Publish' }).click();
  await confirmPublishing(page);
  const content = page.locator('.publish-panel > .publish-done');
  await content.waitFor();
  const sheet = page.locator('.publish-panel');
  const { contentHeight, sheetHeight, below } = await sheet.evaluate((one) => ({
    contentHeight: one.firstElementChild!.getBoundingClientRect().height,
    sheetHeight: one.getBoundingClientRect().height,
    below: window.innerHeight - one.getBoundingClientRect().bottom,
  }));
  // A line along its upper edge.
  expect(sheetHeight - contentHeight).toBeLessThanOrEqual(2);
  expect(below).toBe(0);
  expect(sheetHeight).toBeLessThan(740 / 1.5);
  await page.getByRole('button', { name: 'Back to the text' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
});

it('the list of people needs no scrolling to the side, and says what each value is', async () => {
  await app.db.user.update({ where: { id: here.userId }, data: { role: 'administrator' } });
  await session.open('users');
  const table = page.locator('.table-cards');
  expect(await table.evaluate((one) => one.scrollWidth <= one.parentElement!.clientWidth)).toBe(true);
  const label = await table
    .locator('td', { hasText: 'administrator' })
    .first()
    .evaluate((cell) => getComputedStyle(cell, '::before').content);
  expect(label).toBe('"Role: "');
  await app.db.user.update({ where: { id: here.userId }, data: { role: 'editor' } });
});

it('the label and the address of a menu entry have the row for themselves', async () => {
  await app.db.user.update({ where: { id: here.userId }, data: { role: 'administrator' } });
  await session.open('settings/navigation');
  await page.getByRole('button', { name: 'Add entry' }).first().click();
  for (const name of ['Label 1', 'Address 1'])
    expect((await page.getByLabel(name).first().boundingBox())!.width).toBeGreaterThan(120);
  await app.db.user.update({ where: { id: here.userId }, data: { role: 'editor' } });
});

it('with text of twice the size no screen is wider than the window', async () => {
  await app.db.user.update({ where: { id: here.userId }, data: { role: 'administrator' } });
  const { id } = await createPost(app, { title: 'A field guide to city trees', status: 'published' });
  await editPost(app, { postId: id, intent: 'save', fields: { title: 'Trees' }, editorId: here.userId });
  await editPost(app, { postId: id, intent: 'save', fields: { body: 'Oaks.' }, editorId: here.userId });
  // The same as text of twice the size in a window of 360 pixels.
  await page.setViewportSize({ width: 180, height: 390 });
  for (const screen of [
    `posts/${id}/publish?done`,
    `posts/${id}/revisions`,
    'appearance',
    'account',
    'settings/navigation',
    'system',
  ]) {
    await session.open(screen);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), screen).toBeLessThanOrEqual(180);
  }
  await app.db.user.update({ where: { id: here.userId }, data: { role: 'editor' } });
});

it('the screen of a film is not wider than the window', async () => {
  const { id } = await createMedia(app, { path: '2026/11/film.mp4', mimeType: 'video/mp4' });
  await session.open(`media/${id}`);
  // As wide as a film that is loaded makes its player.
  await page.locator('video').evaluate((player: HTMLVideoElement) => (player.width = 1920));
  expect((await page.locator('video').boundingBox())!.width).toBeLessThanOrEqual(360);
});
