// Texts that are not the saved post: of a release, which readers see with the release and not before, and earlier ones.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import { openEditorScreen } from '#tests/support/browser-session.ts';
import { createPost } from '#tests/support/factories.ts';
import { createPerson } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let userId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  userId = (await createAdministrator(app, administrator)).id;
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const rowOf = (id: string) => app.db.post.findUniqueOrThrow({ where: { id } });

it.each(['in the address', 'chosen in the form'])(
  'a second Update changes the release too, with the release %s',
  async (where) => {
    const { id } = await createPost(app, {
      status: 'published',
      title: 'Live title',
      excerpt: 'Live excerpt',
      body: 'Live text',
      authorId: userId,
    });
    const release = await createRelease(app, { name: `Spring, ${where}`, step: 'save', by: byCommand });
    const isNamed = where === 'in the address';
    const session = await openEditorScreen(
      app,
      server,
      userId,
      `posts/${id}${isNamed ? `?release=${release.id}` : ''}`,
    );
    const { page } = session;
    const update = page.getByRole('button', { name: 'Update', exact: true });
    const itemOf = async () => {
      const item = await app.db.releaseItem.findFirst({ where: { releaseId: release.id } });
      return JSON.stringify(item?.fields ?? '');
    };
    const form = page.locator('form.editor');
    if (!isNamed) {
      await page.getByText('Release', { exact: true }).click();
      await page.locator('[name=releaseId]').selectOption(release.id);
    }
    await page.locator('[name=title]').fill('Spring title');
    const refreshed = page.waitForResponse(
      (response) => response.request().method() === 'GET' && /\/posts\/[^/]+$/.test(response.url()),
    );
    await update.click();
    await expect.poll(itemOf).toContain('Spring title');
    await (await refreshed).finished();
    // The refreshed screen offers the text that the release now has.
    if (!isNamed) await page.getByRole('link', { name: 'Edit that text' }).waitFor();
    expect(await form.locator('[name=title]').inputValue()).toBe('Spring title');
    expect(await form.locator('[name=releaseId]').inputValue()).toBe(release.id);
    await page.locator('.cm-content').click();
    await page.keyboard.type('Embargoed. ');
    await update.click();
    await expect.poll(itemOf).toContain('Embargoed.');
    expect(await rowOf(id)).toMatchObject({ title: 'Live title', body: 'Live text' });
    await session.close();
  },
);

it('a reload of an earlier text that was written on shows the newest text', async () => {
  const { id } = await createPost(app, { authorId: userId });
  const { client } = await createPerson(app, server, 'administrator');
  for (const [version, body] of ['First text', 'Second text'].entries()) {
    const save = { body, version: String(version + 1), intent: 'save' };
    expect((await client.post(`/admin/posts/${id}`, save)).status).toBe(302);
  }
  const earlier = await app.db.revision.findFirstOrThrow({ where: { postId: id, postVersion: 2 } });
  const session = await openEditorScreen(app, server, userId, `posts/${id}?with=${earlier.id}`);
  const { page } = session;
  expect(await page.locator('[name=body]').inputValue()).toBe('First text');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' goes on');
  await expect.poll(async () => (await rowOf(id)).body).toBe('First text goes on');
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  await page.reload();
  expect(await page.locator('[name=body]').inputValue()).toBe('First text goes on');
  await session.close();
});
