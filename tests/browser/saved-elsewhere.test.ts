// What the editor says of a post that was saved by somebody else, or by the page before it.
import { beforeEach, expect, it } from 'vitest';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { confirmPublishing } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createCategory, createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
beforeEach(() => {
  ({ app, page } = here);
});

it('the first key says that the text is not saved, before any answer', async () => {
  const { id } = (await openEditor('Before.')).post;
  await app.db.post.update({ where: { id }, data: { body: 'By another.', version: { increment: 1 } } });
  await page.getByRole('button', { name: 'Show the new version' }).waitFor();
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/posts/*', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await page.locator('.cm-content').press('x');
  await page.locator('.save-state', { hasText: 'Not saved: changed elsewhere' }).waitFor();
  await page.getByRole('button', { name: 'Compare both' }).waitFor();
  answer();
});

it('a reload that overtakes the save of the page before is no conflict with oneself', async () => {
  const { post, value } = await openEditor('Before.');
  const stored = async () => (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).body;
  await goTo('End');
  await page.keyboard.type(' Typed, and reloaded.');
  // The new page is read before its predecessor is left, and that one's last save arrives after it.
  await page.reload();
  await page.locator('.writing[data-live]').waitFor();
  await expect.poll(value).toBe('Before. Typed, and reloaded.');
  await goTo('End');
  await page.keyboard.type(' And on.');
  await expect.poll(stored).toBe('Before. Typed, and reloaded. And on.');
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
});

it('nor is a reload after a new title, from which the server makes a new slug', async () => {
  const { id } = (await openEditor('Before.')).post;
  await app.db.post.update({ where: { id }, data: { slugFollowsTitle: true } });
  await page.reload();
  await page.locator('.writing[data-live]').waitFor();
  const title = page.locator('[name=title]');
  await title.fill('Another title');
  await page.reload();
  await page.locator('.writing[data-live]').waitFor();
  await expect.poll(() => title.inputValue()).toBe('Another title');
  await goTo('End');
  await page.keyboard.type(' And on.');
  const stored = async () => (await app.db.post.findUniqueOrThrow({ where: { id } })).body;
  await expect.poll(stored).toBe('Before. And on.');
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
});

/** A page that changes the category of a post, of which somebody else has just saved other tags. */
async function chooseCategory({ isOffline }: { isOffline: boolean }) {
  const { id } = (await openEditor('Words.')).post;
  const category = await createCategory(app, { name: isOffline ? 'Shore' : 'Coast' });
  await page.reload();
  await page.locator('.writing[data-live]').waitFor();
  const choose = () => page.locator('[name=categoryId]').selectOption(category.id);
  if (isOffline) {
    await page.route('**/posts/*', (route) => route.fulfill({ status: 502 }));
    await choose();
    await page.getByText('Offline, kept on this device').waitFor();
  }
  await editPost(app, { postId: id, version: 1, intent: 'save', fields: { tags: ['Sea'] }, editorId: null });
  const refused = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.status() === 409,
  );
  await (isOffline ? page.unroute('**/posts/*') : choose());
  await refused;
  return id;
}

it.each([false, true])(
  'a field that this page changes is not saved over another one that somebody else has changed; offline: %s',
  async (isOffline) => {
    const id = await chooseCategory({ isOffline });
    await page.locator('.save-state', { hasText: 'Not saved: changed elsewhere' }).waitFor();
    const post = await app.db.post.findUniqueOrThrow({ where: { id }, include: { tags: true } });
    expect([post.categoryId, post.tags.length]).toEqual([null, 1]);
  },
);

it('a page without changes of its own offers to compare, too', async () => {
  const { id } = (await openEditor('Before.')).post;
  for (const [index, body] of ['By another.', 'By another again.'].entries())
    await editPost(app, { postId: id, version: index + 1, intent: 'save', fields: { body }, editorId: null });
  await page.getByRole('link', { name: 'Compare both' }).click();
  await page.getByRole('heading', { name: 'Differences' }).waitFor();
  await page.locator('ins', { hasText: 'again' }).waitFor();
});

it('a text that was kept as a copy, and whose Update is refused, is compared with the other version', async () => {
  const { id } = await createPost(app, { status: 'published', body: 'Nothing.', authorId: here.userId });
  const save = (version: number, body: string) =>
    editPost(app, { postId: id, version, intent: 'save', fields: { body }, editorId: null });
  await save(1, 'One.\n\nTwo.');
  await here.session.open(`posts/${id}`);
  await page.locator('.writing[data-live]').waitFor();
  await goTo('End');
  await page.keyboard.type(' By me.');
  await page.getByText('Unsaved changes kept').waitFor();
  await save(2, 'One by another.\n\nTwo by another.');
  await page.getByText('Your text is not saved over it.').waitFor();
  expect(await page.getByText('This page shows the earlier text.').count()).toBe(0);
  await page.getByRole('button', { name: 'Compare both' }).click();
  const result = page.locator('textarea[name=body]');
  await expect.poll(() => result.inputValue()).toContain('By me.');
  const choice = (name: string) => page.locator('.passage').first().getByRole('radio', { name });
  for (const name of ['Original', 'Yours', 'Other version']) await choice(name).waitFor();
  await choice('Other version').check();
  await expect.poll(() => result.inputValue()).toContain('One by another.');
  await choice('Original').check();
  await expect.poll(() => result.inputValue()).not.toContain('One by another.');
});

it('a new post that is left at once, and saved all the same, is not called unsaved by the next new post', async () => {
  await here.session.open('posts/new');
  await page.locator('.writing[data-live]').waitFor();
  await page.locator('[name=title]').fill('Left at once');
  await goTo('End');
  await page.keyboard.type('Words.');
  await here.session.open('posts/new');
  await page.locator('.writing[data-live]').waitFor();
  await expect.poll(() => app.db.post.count({ where: { title: 'Left at once', body: 'Words.' } })).toBe(1);
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('dateline:text:')));
  await expect.poll(kept).toEqual([]);
  expect(await page.getByText('is not saved').count()).toBe(0);
  // One that the server does not have is offered.
  await page.evaluate((userId) => {
    const postId = '01a20000-0000-7000-8000-000000000001';
    const fields = { title: 'Never arrived', body: 'More words.' };
    const copy = { postId, isNew: true, fields, version: '', autosavedAt: '', sent: [], at: Date.now() };
    localStorage.setItem(`dateline:text:${userId}:${postId}:tab`, JSON.stringify(copy));
  }, here.userId);
  await here.session.open('posts/new');
  await page.getByText('Text for “Never arrived”').waitFor();
});

it('a post is not called due by a time that was refused', async () => {
  const { post } = await openEditor('Words.');
  await page.fill('#field-publishedAt', '2026-01-02T10:00');
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  await here.session.open(`posts/${post.id}`);
  await page.locator('.writing[data-live]').waitFor();
  await page.fill('#field-publishedAt', `${new Date().getFullYear() + 1}-01-02T10:00`);
  await page.getByRole('button', { name: /^Schedule for/ }).click();
  await confirmPublishing(page);
  await page.getByRole('button', { name: 'Back to the text' }).click();
  await page.locator('.state-scheduled').waitFor();
  expect(await page.getByText('This post is due.').count()).toBe(0);
});

it('nor is a scheduled update that this page has dropped, and what was typed before that is kept', async () => {
  const { id } = await createPost(app, { status: 'published', body: 'Public.', authorId: here.userId });
  const changeAt = new Date(Date.now() + 86_400_000);
  const update = { postId: id, version: 1, fields: { body: 'Later.' }, changeAt, editorId: here.userId };
  await scheduleUpdate(app, update);
  await here.session.open(`posts/${id}`);
  await page.locator('.writing[data-live]').waitFor();
  await goTo('End');
  await page.keyboard.type(' Typed.');
  await page.getByRole('button', { name: 'Drop the scheduled update' }).click();
  await page.getByText('An update goes live at').waitFor({ state: 'detached' });
  await page.locator('.save-state', { hasText: 'not public until you update' }).waitFor();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  const stored = await app.db.post.findUniqueOrThrow({ where: { id } });
  expect(stored).toMatchObject({ body: 'Public. Typed.', version: 4 });
});
