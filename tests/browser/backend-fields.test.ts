import { afterAll, beforeAll, expect, test } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { delayScripts, openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let session: BrowserSession;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  const { id } = await createUser(app, { role: 'administrator' });
  session = await openBrowserSession(app, server, id);
});
afterAll(async () => {
  await session?.close();
  await server?.stop();
  await app?.close();
});

test('the accent colour is picked or typed, and the draft follows', async () => {
  const { page, open } = session;
  await open('appearance');
  const [typed, picked] = [page.locator('[name=accent_color]'), page.getByLabel('Pick a colour')];
  await picked.fill('#224466');
  await expect.poll(() => typed.inputValue()).toBe('#224466');
  await page.getByText('Draft saved.').waitFor();
  await typed.fill('#88aa00');
  await expect.poll(() => picked.inputValue()).toBe('#88aa00');
});

test('drafts are found by their titles and added to a release', async () => {
  const { page, open } = session;
  const release = await createRelease(app, { name: 'Spring', step: 'save', by: byCommand });
  for (let count = 0; count < 9; count += 1) await createPost(app, { title: `Draft ${count}` });
  // A filter that is typed before the scripts have come counts when they have.
  const scripts = await delayScripts(page);
  await open(`releases/${release.id}`, 'commit');
  const choices = page.locator('.choices label:visible');
  await expect.poll(() => choices.count()).toBe(9);
  await page.getByLabel('Filter by title').fill('draft 7');
  await scripts.release();
  await expect.poll(() => choices.allInnerTexts()).toEqual([expect.stringContaining('Draft 7')]);
  await choices.click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => page.locator('.release-items').innerText()).toContain('Draft 7');
});

test('the rows of a menu take no text that they could not send: they wait for the scripts', async () => {
  const { page, open } = session;
  await changeSettings(app, { footer: 'Blog | /\nTeam | /team' });
  const scripts = await delayScripts(page);
  await open('settings/navigation', 'commit');
  const label = page.getByRole('group', { name: 'Footer' }).getByLabel('Label 1');
  await label.waitFor();
  expect(await label.isDisabled()).toBe(true);
  await scripts.release();
  await label.fill('News');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved').first().waitFor();
  expect((await readSettings(app)).footer).toMatchObject([
    { label: 'News', href: '/' },
    { label: 'Team', href: '/team' },
  ]);
});

test('settings that were changed and not saved are not left without a question', async () => {
  const { page, open } = session;
  await open('settings/site');
  const title = page.getByLabel('Title', { exact: true });
  await title.click();
  await page.keyboard.type('X');
  const asked = page.waitForEvent('dialog');
  const other = page.getByRole('link', { name: 'Publishing', exact: true }).click();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await other.catch(() => {});
  expect(await title.inputValue()).toContain('X');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('link', { name: 'Publishing', exact: true }).click();
  await page.getByLabel('Revisions to keep for each post').waitFor();
});
