// Whatever goes wrong while somebody writes: no text is lost and nothing happens twice.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdministrator } from '#app/publishing/create-administrator.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import { focused, openBrowserSession } from '#tests/support/browser-session.ts';
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

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  const session = (who: string | null = userId) =>
    openBrowserSession(app, server, who, { javaScriptEnabled });

  it('two browsers edit one post: the second save gets both texts, and both survive', async () => {
    const { id } = await createPost(app, { title: 'Ours', body: 'First.\n\nSecond.', authorId: userId });
    const [mine, theirs] = [await session(), await session(secondId)];
    for (const one of [mine, theirs]) await one.open(`posts/${id}`);
    await theirs.page.locator('[name=body]').fill('First, by Grace.\n\nSecond.');
    await theirs.page.locator('button[value=save]').click();
    await expect.poll(async () => (await rowOf(id)).version).toBe(2);
    await mine.page.locator('[name=body]').fill('First, by Ada.\n\nSecond.');
    if (javaScriptEnabled) {
      // Within five seconds, without a press of a button.
      await mine.page.getByText('Grace Hopper has changed this post').waitFor();
      expect(await mine.page.locator('.save-state').textContent()).not.toMatch(/^Saved/);
    }
    const answered = mine.page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith(id),
    );
    const send = javaScriptEnabled ? 'Compare both' : 'Save';
    await mine.page.getByRole('button', { name: send, exact: true }).click();
    expect((await answered).status()).toBe(409);
    await mine.page.getByRole('heading', { name: /Two versions of/ }).waitFor();
    // The heading is there before the rest of a page that is still arriving.
    await mine.page.waitForLoadState();
    const page = (await mine.page.locator('main').textContent())!;
    expect(page).toContain('by Grace');
    expect(page).toContain('by Ada');
    expect((await rowOf(id)).body).toBe('First, by Grace.\n\nSecond.');
    expect(await textsOf(id)).toContain('by Ada');
    await mine.page.locator('[name=body]').fill('First, by both.\n\nSecond.');
    await mine.page.getByRole('button', { name: 'Save this', exact: true }).click();
    await expect.poll(async () => (await rowOf(id)).body).toBe('First, by both.\n\nSecond.');
    const kept = await textsOf(id);
    for (const words of ['by Grace', 'by Ada', 'by both']) expect(kept).toContain(words);
    for (const one of [mine, theirs]) await one.close();
  });

  it('a button that is pressed twice does its work once', async () => {
    const { page, open, close } = await session();
    await open('posts/new');
    const title = `Pressed twice, ${javaScriptEnabled}, ${randomUUID()}`;
    await page.locator('[name=title]').fill(title);
    await page.locator('button[value=save]').first().dblclick();
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}(#main)?$/);
    await page.locator('[name=body]').fill('Once.');
    await page.locator('button[value=publish]').dblclick();
    if (javaScriptEnabled) await page.locator('.publish-panel footer .primary').dblclick();
    await page.locator('.state-published').first().waitFor();
    expect(await page.getByText('Two versions of').count()).toBe(0);
    const posts = await app.db.post.findMany({ where: { title } });
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({ status: 'published', body: 'Once.' });
    const told = { action: 'post.published', subject: { contains: title } };
    expect(await app.db.auditLog.count({ where: told })).toBe(1);
    await close();
  });

  it('a session that has ended gives the text back after the login', async () => {
    const { id } = await createPost(app, { title: 'Overtaken', body: 'Before.', authorId: userId });
    const { page, open, close } = await session();
    if (javaScriptEnabled) {
      await open(`posts/${id}`);
      // A button that is pressed before the scripts run sends the form as a page: what follows here is theirs.
      await page.locator('.tools').waitFor();
      await app.db.session.deleteMany({ where: { userId } });
      await page.locator('[name=body]').fill('Written while the session ended.');
      await page.locator('button[value=save]').click();
      const [login] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Log in in another tab' }).click(),
      ]);
      await login.locator('[name=email]').fill(administrator.email);
      await login.locator('[name=password]').fill(administrator.password);
      await login.getByRole('button', { name: 'Log in' }).click();
      await login.waitForURL(/\/admin$/);
      await login.close();
      await expect.poll(async () => (await rowOf(id)).body).toBe('Written while the session ended.');
      expect(await page.locator('[name=body]').inputValue()).toBe('Written while the session ended.');
      return close();
    }
    await open(`posts/${id}`);
    await app.db.session.deleteMany({ where: { userId } });
    const text =
      'Written while the session ended: “quotes”, <b>tags</b>,\r\n\r\na second paragraph.'.replaceAll(
        '\r\n',
        '\n',
      );
    await page.locator('[name=body]').fill(text);
    await page.locator('button[value=save]').click();
    await page.getByText('Your session has ended').waitFor();
    await page.locator('[name=email]').fill(administrator.email);
    await page.locator('[name=password]').fill('a wrong password first');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Email or password is incorrect.').waitFor();
    await page.locator('[name=password]').fill(administrator.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Your text for “Overtaken” is kept here').waitFor();
    await page.getByRole('button', { name: 'Save it now' }).click();
    // The resumed form is at this address already, so its answer is waited for.
    await expect.poll(async () => (await rowOf(id)).body.replaceAll('\r\n', '\n')).toBe(text);
    await close();
  });

  it('a post is written and published with the keyboard alone', async () => {
    const { page, open, close } = await session();
    await open('');
    const tabTo = async (wanted: string) => {
      for (let presses = 0; presses < 80; presses += 1) {
        const here = await page.evaluate((selector) => document.activeElement?.matches(selector), wanted);
        if (here) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab never comes to ${wanted}`);
    };
    await tabTo('a[href$="/posts/new"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/posts/new');
    // A new post's title has the focus.
    expect(await focused(page)).toBe('title');
    await tabTo('[name=title]');
    const text = javaScriptEnabled ? '.cm-content' : '[name=body]';
    const title = `By keyboard, ${javaScriptEnabled}`;
    await page.keyboard.type(title);
    await tabTo(text);
    await page.keyboard.type('Line one.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Line two.');
    // Tab leaves the text, as everywhere; Enter in a field presses the first button.
    await tabTo('[name=tags]');
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}(#main)?$/);
    await tabTo('button[value=publish]');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    expect(outline).not.toBe('none');
    await page.keyboard.press('Enter');
    if (javaScriptEnabled) {
      await page.locator('.publish-panel').waitFor();
      await tabTo('.publish-panel footer .primary');
      await page.keyboard.press('Enter');
    }
    await page.locator('.state-published').first().waitFor();
    expect(await app.db.post.findFirst({ where: { title } })).toMatchObject({
      status: 'published',
      body: expect.stringMatching(/^Line one\.\r?\nLine two\.$/) as string,
    });
    await close();
  });

  it('the first of several errors has the focus, each stands beside its field', async () => {
    const { page, open, close } = await session();
    await open('posts/new');
    await page.locator('[name=title]').fill('Kept');
    await page.locator('[name=body]').fill('Kept too.');
    await page.locator('[name=slug]').fill('///');
    await page.locator('[name=tags]').fill('x'.repeat(300));
    await page.locator('button[value=save]').first().click();
    await page.locator('#field-slug-error').waitFor();
    await page.locator('#field-tags-error').waitFor();
    expect(await focused(page)).toBe('slug');
    const kept = { title: 'Kept', body: 'Kept too.', slug: '///', tags: 'x'.repeat(300) };
    for (const [name, value] of Object.entries(kept))
      expect(await page.locator(`[name=${name}]`).inputValue()).toBe(value);
    await close();
  });
});

describe('autosave', () => {
  it('keeps a new text without a press of a button, says when, and a reload finds it', async () => {
    const { page, open, close, troubles } = await openBrowserSession(app, server, userId);
    await open('posts/new');
    await page.locator('.tools').waitFor();
    await page.locator('[name=body]').pressSequentially('Typed and never saved.');
    await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}(#main)?$/);
    await page.reload();
    expect(await page.locator('[name=body]').inputValue()).toBe('Typed and never saved.');
    expect(troubles).toEqual([]);
    await close();
  });

  it('of a published post stays out of sight of readers, is one revision, and is offered again', async () => {
    const { id, slug } = await createPost(app, { status: 'published', body: 'Public.', authorId: userId });
    const { page, open, close } = await openBrowserSession(app, server, userId);
    await open(`posts/${id}`);
    await page.locator('.tools').waitFor();
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
    const { page, open, close } = await openBrowserSession(app, server, userId);
    await open(`posts/${id}`);
    await page.locator('.tools').waitFor();
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
    await expect
      .poll(async () => (await rowOf(id)).body, { timeout: 40_000 })
      .toContain('Typed in a tunnel.');
    await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    await close();
  });

  it('of an ended session names the login, and the text stays on the page', async () => {
    const { id } = await createPost(app, { body: 'Before.', authorId: secondId });
    const { page, open, close } = await openBrowserSession(app, server, secondId);
    await open(`posts/${id}`);
    await page.locator('.tools').waitFor();
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
