// Whatever goes wrong while somebody writes: no text is lost and nothing happens twice.
import { randomUUID } from 'node:crypto';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { testAtNight } from '#tests/support/at-night.ts';
import { administrator } from '#tests/support/backend.ts';
import {
  focused,
  openBrowserSession,
  openEditorScreen,
  pressSave,
  tabTo,
  toggleSettings,
} from '#tests/support/browser-session.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let userId: string;
let secondId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  userId = (await createAdministrator(app, administrator)).id;
  secondId = (await createUser(app, { displayName: 'Grace Hopper', role: 'editor' })).id;
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const rowOf = (id: string) => app.db.post.findUniqueOrThrow({ where: { id } });
const textsOf = async (postId: string) =>
  (await app.db.revision.findMany({ where: { postId } })).map(({ fields }) => fields).join('\n');

const openEditor = (postId: string, who = userId) => openEditorScreen(app, server, who, `posts/${postId}`);

async function logIn(page: Page, password = administrator.password): Promise<void> {
  await page.locator('[name=email]').fill(administrator.email);
  await page.locator('[name=password]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  const session = (who = userId) => openBrowserSession(app, server, who, { javaScriptEnabled });

  /** A screen with the editor. Before its scripts have come, a button sends the form as a page, and opens no panel. */
  async function openScripted(path: string) {
    const opened = await session();
    await opened.open(path);
    if (javaScriptEnabled) await opened.page.locator('.writing[data-live]').waitFor();
    return opened;
  }

  /** Two browsers edit one post: Grace has saved it, while Ada has typed. */
  async function editTogether() {
    const { id } = await createPost(app, { title: 'Ours', body: 'First.\n\nSecond.', authorId: userId });
    const [mine, theirs] = [await session(), await session(secondId)];
    for (const one of [mine, theirs]) await one.open(`posts/${id}`);
    await theirs.page.locator('[name=body]').fill('First, by Grace.\n\nSecond.');
    await pressSave(theirs.page);
    await expect.poll(async () => (await rowOf(id)).version).toBe(2);
    await mine.page.locator('[name=body]').fill('First, by Ada.\n\nSecond.');
    return { id, page: mine.page, close: () => Promise.all([mine.close(), theirs.close()]) };
  }

  it('two browsers edit one post: the second save gets both texts, and both survive', async () => {
    const { id, page, close } = await editTogether();
    if (javaScriptEnabled) {
      // Within five seconds, without a press of a button.
      await page.getByText('Grace Hopper changed this post').waitFor();
      expect(await page.locator('.save-state').textContent()).not.toMatch(/^Saved/);
    }
    const isSave = (answer: Response) => answer.request().method() === 'POST' && answer.url().endsWith(id);
    const answered = page.waitForResponse(isSave);
    if (javaScriptEnabled) await page.getByRole('button', { name: 'Compare both', exact: true }).click();
    else await pressSave(page);
    expect((await answered).status()).toBe(409);
    await page.getByRole('heading', { name: /Two versions of/ }).waitFor();
    // The heading is there before the rest of a page that is still arriving.
    await page.waitForLoadState();
    const shown = (await page.locator('main').textContent())!;
    for (const words of ['by Grace', 'by Ada']) expect(shown).toContain(words);
    expect((await rowOf(id)).body).toBe('First, by Grace.\n\nSecond.');
    expect(await textsOf(id)).toContain('by Ada');
    await page.locator('[name=body]').fill('First, by both.\n\nSecond.');
    await page.getByRole('button', { name: 'Save this', exact: true }).click();
    await expect.poll(async () => (await rowOf(id)).body).toBe('First, by both.\n\nSecond.');
    const kept = await textsOf(id);
    for (const words of ['by Grace', 'by Ada', 'by both']) expect(kept).toContain(words);
    await close();
  });

  it('a button that is pressed twice does its work once', async () => {
    const { page, close } = await openScripted('posts/new');
    const title = `Pressed twice, ${javaScriptEnabled}, ${randomUUID()}`;
    await page.locator('[name=title]').fill(title);
    await pressSave(page, 'dblclick');
    // Without scripts the second press ends the navigation of the first, which `waitForURL` takes for a failure.
    await expect.poll(() => page.url()).toMatch(/\/posts\/[0-9a-f-]{36}(#main)?$/);
    await page.locator('[name=body]').fill('Once.');
    await page.locator('button[value=publish]').dblclick();
    if (javaScriptEnabled) await page.locator('.publish-panel footer .primary').dblclick();
    await page.locator('.state-published').first().waitFor();
    expect(await page.getByText('Two versions of').count()).toBe(0);
    const posts = await app.db.post.findMany({ where: { title } });
    expect(posts).toMatchObject([{ status: 'published', body: 'Once.' }]);
    const told = { action: 'post.published', subject: { contains: title } };
    expect(await app.db.auditLog.count({ where: told })).toBe(1);
    await close();
  });

  testAtNight('a post is written with the keyboard alone', async () => {
    const { page, open, close } = await session();
    await open('');
    await tabTo(page, 'a[href$="/posts/new"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/posts/new');
    // Tab would pass the text by until its editor is there. A new post's title has the focus.
    if (javaScriptEnabled) await page.locator('.writing[data-live]').waitFor();
    await expect.poll(() => focused(page)).toBe('title');
    await tabTo(page, '[name=title]');
    const title = `By keyboard, ${javaScriptEnabled}`;
    await page.keyboard.type(title);
    await tabTo(page, javaScriptEnabled ? '.cm-content' : '[name=body]');
    await page.keyboard.type('Line one.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Line two.');
    // Tab leaves the text, as everywhere; Enter in a field presses the first button.
    await tabTo(page, '.editor-settings > summary');
    await page.keyboard.press('Enter');
    await tabTo(page, '[name=tags]');
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}(#main)?$/);
    // The first autosave has changed the address already where typing took a second or more.
    const read = async () => (await app.db.post.findFirst({ where: { title } }))?.body;
    // In the live view Enter begins a paragraph.
    const lineFeed = javaScriptEnabled ? '\n\n' : '\n';
    await expect.poll(async () => (await read())?.replaceAll('\r', '')).toBe(`Line one.${lineFeed}Line two.`);
    await close();
  });

  testAtNight('a post is published with the keyboard alone', async () => {
    const { id } = await createPost(app, { body: 'Line one.', authorId: userId });
    const { page, close } = await openScripted(`posts/${id}`);
    await tabTo(page, 'button[value=publish]');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    expect(outline).not.toBe('none');
    await page.keyboard.press('Enter');
    if (javaScriptEnabled) {
      await page.locator('.publish-panel').waitFor();
      await tabTo(page, '.publish-panel footer .primary');
      await page.keyboard.press('Enter');
    }
    await page.locator('.state-published').first().waitFor();
    expect(await rowOf(id)).toMatchObject({ status: 'published', body: 'Line one.' });
    await close();
  });

  testAtNight('the first of several errors has the focus, each stands beside its field', async () => {
    const { page, close } = await openScripted('posts/new');
    await page.locator('[name=title]').fill('Kept');
    await page.locator('[name=body]').fill('Kept too.');
    await toggleSettings(page);
    await page.locator('[name=slug]').fill('///');
    await page.locator('[name=tags]').fill('x'.repeat(300));
    await pressSave(page);
    await page.locator('#field-slug-error').waitFor();
    await page.locator('#field-tags-error').waitFor();
    await expect.poll(() => focused(page)).toBe('slug');
    const kept = { title: 'Kept', body: 'Kept too.', slug: '///', tags: 'x'.repeat(300) };
    for (const [name, value] of Object.entries(kept))
      expect(await page.locator(`[name=${name}]`).inputValue()).toBe(value);
    await close();
  });
});

describe('a session that has ended gives the text back after the login', () => {
  it('in another tab', async () => {
    const { id } = await createPost(app, { title: 'Overtaken', body: 'Before.', authorId: userId });
    const { page, close } = await openEditor(id);
    await app.db.session.deleteMany({ where: { userId } });
    await page.locator('[name=body]').fill('Written while the session ended.');
    await pressSave(page);
    const [login] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Log in in another tab' }).click(),
    ]);
    await logIn(login);
    await login.waitForURL(/\/admin$/);
    await login.close();
    await expect.poll(async () => (await rowOf(id)).body).toBe('Written while the session ended.');
    expect(await page.locator('[name=body]').inputValue()).toBe('Written while the session ended.');
    await close();
  });

  it('without JavaScript, in the same tab', async () => {
    const { id } = await createPost(app, { title: 'Overtaken', body: 'Before.', authorId: userId });
    const { page, open, close } = await openBrowserSession(app, server, userId, { javaScriptEnabled: false });
    await open(`posts/${id}`);
    await app.db.session.deleteMany({ where: { userId } });
    const text = 'Written while the session ended: “quotes”, <b>tags</b>,\n\na second paragraph.';
    await page.locator('[name=body]').fill(text);
    await pressSave(page);
    await page.getByText('Your session has ended').waitFor();
    await logIn(page, 'a wrong password first');
    await page.getByText('Email or password is incorrect.').waitFor();
    await logIn(page);
    await page.getByText('Your text for “Overtaken” is kept here').waitFor();
    await page.getByRole('button', { name: 'Save it now' }).click();
    // The resumed form is at this address already, so its answer is waited for.
    await expect.poll(async () => (await rowOf(id)).body.replaceAll('\r\n', '\n')).toBe(text);
    await close();
  });
});

describe('autosave', () => {
  it('keeps a new text without a press of a button, says when, and a reload finds it', async () => {
    const { page, open, close, troubles } = await openBrowserSession(app, server, userId);
    await open('posts/new');
    await page.locator('.writing[data-live]').waitFor();
    await page.locator('[name=body]').pressSequentially('Typed and never saved.');
    await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}(#main)?$/);
    await page.reload();
    await expect.poll(() => page.locator('[name=body]').inputValue()).toBe('Typed and never saved.');
    expect(troubles).toEqual([]);
    await close();
  });

  it('of a published post stays out of sight of readers, is one revision, and is offered again', async () => {
    const { id, slug } = await createPost(app, { status: 'published', body: 'Public.', authorId: userId });
    const { page, open, close } = await openEditor(id);
    for (const words of ['One.', 'Two.']) {
      await page.locator('[name=body]').fill(words);
      await expect.poll(() => textsOf(id)).toContain(words);
    }
    await page.getByText('not public until you update').waitFor();
    expect(await app.db.revision.count({ where: { postId: id, kind: 'autosave' } })).toBe(1);
    expect((await server.client().get(`/posts/${slug}`)).text).not.toContain('Two.');
    await open(`posts/${id}`);
    await page.getByRole('link', { name: 'Restore them' }).click();
    await expect.poll(() => page.locator('[name=body]').inputValue()).toBe('Two.');
    await close();
  });

  it('says so when it fails, warns before the page is left, and goes on by itself', async () => {
    const { id } = await createPost(app, { body: 'Before.', authorId: userId });
    const { page, close } = await openEditor(id);
    await page.route('**/posts/*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.locator('[name=body]').pressSequentially('Typed in a tunnel. ');
    await page.getByText('Offline, kept on this device').waitFor();
    // A press of Save meanwhile leaves the page where it is, and the save follows automatically.
    await page.keyboard.press('Control+s');
    const asked = page.waitForEvent('dialog');
    const leaving = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await leaving;
    await page.unroute('**/posts/*');
    const read = async () => (await rowOf(id)).body;
    await expect.poll(read, { timeout: 40_000 }).toContain('Typed in a tunnel.');
    await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    await close();
  });

  testAtNight('of an ended session names the login, and the text stays on the page', async () => {
    const { id } = await createPost(app, { body: 'Before.', authorId: secondId });
    const { page, close } = await openEditor(id, secondId);
    await app.db.session.deleteMany({ where: { userId: secondId } });
    await page.locator('[name=body]').fill('After the end of the session.');
    await page.getByRole('link', { name: 'Log in in another tab' }).waitFor();
    expect(await page.locator('[name=body]').inputValue()).toBe('After the end of the session.');
    await close();
  });
});

it('what is typed at the moment when the scripts take over stays', async () => {
  const { id } = await createPost(app, { body: 'Before.', authorId: userId });
  const { page, open, close, troubles } = await openBrowserSession(app, server, userId);
  // React starts by a message to itself; held back, the first input starts it.
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
      held.push(() => send.call(this, message));
    };
    Object.assign(globalThis, {
      letGo() {
        MessagePort.prototype.postMessage = send;
        for (const start of held.splice(0)) start();
      },
    });
  });
  await open(`posts/${id}`);
  await page.locator('[name=body]').fill('Typed early.');
  await page.evaluate(() => (globalThis as unknown as { letGo(): void }).letGo());
  await page.locator('.cm-content', { hasText: 'Typed early.' }).waitFor();
  await expect.poll(async () => (await rowOf(id)).body).toBe('Typed early.');
  expect(troubles).toEqual([]);
  await close();
});
