import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { browser } from '#tests/support/browser.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;

beforeAll(async () => {
  app = await createTestApp();
  await createPost(app, { status: 'published', slug: 'first', title: 'The first post' });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

test('a reader finds a post from the home page; nothing is refused, missing or logged', async () => {
  const page = await (await browser()).newPage();
  const troubles: string[] = [];
  page.on('console', (message) => void troubles.push(message.text()));
  page.on('pageerror', (error) => void troubles.push(error.message));
  page.on('requestfailed', (request) => void troubles.push(`failed: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`);
  });
  await page.goto(server.url);
  await page.getByRole('link', { name: 'The first post' }).first().click();
  await page.waitForURL('**/posts/first');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('The first post');
  expect(new URL(page.url()).pathname).toBe('/posts/first');
  expect(troubles).toEqual([]);
  await page.close();
});

test('the login page shows what was wrong and keeps the address that was typed', async () => {
  const page = await (await browser()).newPage();
  await page.goto(`${server.url}/admin/login`);
  await page.locator('[name=email]').fill('nobody@example.org');
  await page.locator('[name=password]').fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Email or password is incorrect.').waitFor();
  expect(await page.locator('[name=email]').inputValue()).toBe('nobody@example.org');
  await page.close();
});
