// The backend where fingers press.
import { expect, it } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer } from '#tests/support/server.ts';

it('no field has letters so small that a phone zooms into it', async () => {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const { id } = await createUser(app, { role: 'administrator' });
  const post = await createPost(app, { body: '| A | B |\n|---|---|\n| 1 | 2 |', authorId: id });
  const viewport = { width: 390, height: 800 };
  const { page, open, close } = await openBrowserSession(app, server, id, {
    viewport,
    hasTouch: true,
    isMobile: true,
  });
  for (const path of ['posts', 'calendar', 'settings/site', `posts/${post.id}`]) {
    await open(path);
    if (path.includes(post.id)) await page.locator('.md-cell textarea').first().waitFor();
    const small = await page
      .locator('input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea')
      .evaluateAll((fields) =>
        fields
          .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
          .map((field) => field.outerHTML.slice(0, 120)),
      );
    expect(small, path).toEqual([]);
  }
  await close();
  await server.stop();
  await app.close();
});
