// What the editor says about the state of a text is true, also after a while without typing.
import { beforeEach, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { startSession } from '#app/people/sessions/sessions.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { confirmPublishing } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
beforeEach(() => {
  ({ app, page } = here);
});

const stateOf = (text: RegExp) => page.locator('.save-state', { hasText: text }).waitFor();

it('“Offline” ends when the server can be reached, and a button that had no effect is named', async () => {
  const { post } = await openEditor('Words.');
  const send = (url: URL) => url.pathname.endsWith(`/posts/${post.id}`);
  await page.route(send, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502 }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await confirmPublishing(page);
  await stateOf(/^Offline/);
  await page.unroute(send);
  await page.getByText('The post wasn’t changed (publish). Press the button again.').first().waitFor();
  await stateOf(/^Saved/);
});

it('“Your session has ended” ends with a login in another tab', async () => {
  await openEditor('Words.');
  await app.db.session.deleteMany({ where: { userId: here.userId } });
  const ended = page.getByText('Your session has ended');
  await ended.waitFor();
  const cookie = await startSession(app, here.userId, { userAgent: 'Browser test', address: '127.0.0.1' });
  const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: page.url(), httpOnly: true }]);
  await ended.waitFor({ state: 'detached' });
  await stateOf(/^Saved/);
});

it('a field that the server cannot store is not called saved, and the rest is stored', async () => {
  await createPost(app, { slug: 'taken' });
  const { post } = await openEditor('Words.');
  await page.locator('[name=slug]').evaluate((field: HTMLInputElement) => {
    field.value = 'taken';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await goTo('End');
  await page.keyboard.type(' More.');
  await page.getByText('Saved, except: The slug is used by').waitFor();
  await stateOf(/^Saved in part/);
  const body = async () => (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).body;
  await expect.poll(body).toBe('Words. More.');
  // Somebody who types without a pause is saved too.
  for (let keys = 0; !(await body()).includes('More.xxxx'); keys += 1) {
    expect(keys).toBeLessThan(400);
    await page.keyboard.press('x', { delay: 100 });
  }
});

it('the browser asks before a page is left that is sending a file', async () => {
  await openEditor('Words.');
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/media', async (route) => {
    await held;
    await route.fulfill({ status: 502 });
  });
  const isAsked = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await isAsked()).toBe(false);
  await page.locator('.cm-content').evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'boat.png', { type: 'image/png' }));
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.locator('.md-upload').waitFor();
  await expect.poll(isAsked).toBe(true);
  answer();
  await page.locator('.md-upload', { hasText: 'Try again' }).waitFor();
  expect(await isAsked()).toBe(false);
});

it('a duplicated tab has copies of its own: what it saves does not delete what the first tab has typed', async () => {
  const { post } = await openEditor('Words.');
  const send = (url: URL) => url.pathname.endsWith(`/posts/${post.id}`);
  await page.route(send, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502 }) : route.continue(),
  );
  await goTo('End');
  await page.keyboard.type(' In the first tab.');
  await stateOf(/^Offline, kept on this device/);
  // Like a duplicated tab, a window that a page opens gets a copy of the page's storage.
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => void window.open(window.location.href));
  const copy = await opened;
  await copy.getByRole('button', { name: 'Restore it' }).waitFor();
  await copy.locator('.cm-content').focus();
  await copy.keyboard.press('Control+End');
  await copy.keyboard.type(' In the second tab.');
  await copy.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).toContain('In the first tab.');
  await copy.close();
});

it('what was typed on the page of a release is restored there, not on the page of the public post, and the reverse', async () => {
  const { id } = await createPost(app, { status: 'published', body: 'Public.', authorId: here.userId });
  const release = await createRelease(app, { name: 'Spring', step: 'save', by: byCommand });
  const [live, ofRelease] = [`posts/${id}`, `posts/${id}?release=${release.id}`];
  const text = () => page.locator('[name=body]').inputValue();
  const chosen = () => page.locator('[name=releaseId]').inputValue();
  const isSave = (url: URL) => url.pathname.endsWith(`/posts/${id}`);
  await page.route(isSave, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502 }) : route.continue(),
  );
  page.on('dialog', (dialog) => void dialog.accept());
  const typeOn = async (path: string, words: string) => {
    await here.session.open(path);
    await page.locator('.writing[data-live]').waitFor();
    await goTo('End');
    await page.keyboard.type(words);
    await stateOf(/kept on this device/);
    // What a page sends while it is left does not pass through the route.
    await page.evaluate(() => {
      window.fetch = () => Promise.reject(new TypeError('offline'));
      navigator.sendBeacon = () => false;
    });
  };
  await typeOn(live, ' Typed for today.');
  await typeOn(ofRelease, ' Under embargo.');
  expect([await text(), await chosen()]).toEqual(['Public. Under embargo.', release.id]);
  await here.session.open(live);
  await page.locator('.writing[data-live]').waitFor();
  await expect.poll(text).toBe('Public. Typed for today.');
  expect(await chosen()).toBe('');
  await here.session.open(ofRelease);
  await page.locator('.writing[data-live]').waitFor();
  await expect.poll(text).toBe('Public. Under embargo.');
  expect(await chosen()).toBe(release.id);
});
