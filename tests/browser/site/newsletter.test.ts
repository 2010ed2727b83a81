// A reader's way through the newsletter in a browser without scripts: the forms must pass the guard against other sites.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPost as publishPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { browser } from '#tests/support/browser.ts';
import { byEmail, switchNewsletterOn } from '#tests/support/newsletter/issues.ts';
import { decoded, startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let smtp: MoodySmtp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  smtp = await startMoodySmtp();
  await switchNewsletterOn(app, smtp);
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await smtp?.close();
  await app?.close();
});

/** The path behind `/before/` in the reader's last mail. */
async function linkInMail(before: string): Promise<string> {
  const find = () =>
    smtp.received
      .map(({ raw }) => new RegExp(`/${before}/[\\w-]+`).exec(decoded(raw))?.[0])
      .findLast((link) => link !== undefined);
  await expect.poll(find).toBeTruthy();
  return find()!;
}

test('a reader subscribes, confirms, chooses, unsubscribes and erases with clicks alone', async () => {
  const page = await (await browser()).newPage({ javaScriptEnabled: false });
  const state = async () => (await app.db.subscriber.findFirst())?.state;
  await page.goto(`${server.url}/subscribe`);
  const form = page.locator('main form[action="/subscribe"]');
  await form.getByRole('textbox').first().fill('reader@example.org');
  await form.getByRole('button').click();
  await page.goto(server.url + (await linkInMail('subscribe/confirm')));
  await page.locator('main').getByRole('button').first().click();
  await expect.poll(state).toBe('active');
  await publishPost(app, { editorId: null, intent: 'publish', fields: { title: 'News', ...byEmail } });

  await page.goto(server.url + (await linkInMail('subscription')));
  await page.locator('[name=frequency][value=none]').check();
  await page.locator('button[value=save]').click();
  await expect.poll(async () => (await app.db.subscriber.findFirst())?.frequency).toBe('none');
  await page.goto(server.url + (await linkInMail('unsubscribe')));
  await page.locator('main').getByRole('button').first().click();
  await expect.poll(state).toBe('unsubscribed');
  await page.goto(server.url + (await linkInMail('subscription')));
  await page.locator('button[value=erase]').click();
  await expect.poll(state).toBeUndefined();
  await page.close();
});

test('the form of a page that tells nobody its address is taken', async () => {
  const page = await (await browser()).newPage({ javaScriptEnabled: false });
  await page.route('**/subscribe', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), 'referrer-policy': 'no-referrer' },
    });
  });
  await page.goto(`${server.url}/subscribe`);
  await page.unrouteAll();
  const form = page.locator('main form[action="/subscribe"]');
  await form.getByRole('textbox').first().fill('other@example.org');
  const [answer] = await Promise.all([
    page.waitForResponse('**/subscribe'),
    form.getByRole('button').click(),
  ]);
  expect(answer.request().headers().origin).toBe('null');
  expect(answer.status()).toBe(200);
  await page.close();
});
