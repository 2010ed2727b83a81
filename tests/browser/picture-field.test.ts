import { expect, test } from 'vitest';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { editorLogin } from '#tests/support/demo-content.ts';
import { createMedia } from '#tests/support/factories.ts';
import { startServer } from '#tests/support/server.ts';

test('the pictures of a term and of the site are chosen from the library', async () => {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const ada = await createAdministrator(app, { ...editorLogin, username: 'ada', displayName: 'Ada' });
  const { path } = await createMedia(app, { originalName: 'quay.webp', alt: 'The quay' });
  const { page, open, close } = await openBrowserSession(app, server, ada.id);
  for (const [screen, name] of [
    ['categories', 'picture'],
    ['settings/site', 'site_icon'],
  ] as const) {
    await open(screen);
    const field = page.locator('.picture-field', { has: page.locator(`[name=${name}]`) });
    await field.getByRole('button', { name: 'Choose a picture' }).click();
    await page.locator('.library-pictures button').first().click();
    await expect.poll(() => field.locator(`[name=${name}]`).inputValue()).toBe(`/uploads/${path}`);
    await expect.poll(() => page.locator('dialog.library').count()).toBe(0);
  }
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.waitForURL(/saved/);
  await expect.poll(() => page.locator('[name=site_icon]').inputValue()).toBe(`/uploads/${path}`);
  await close();
  await server.stop();
  await app.close();
});
