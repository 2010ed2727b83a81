// The backend at 200 % of a window of 1280 pixels, from the right to the left: nothing makes the page scroll sideways.
import { expect, it } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { createDemoContent } from '#tests/support/demo-content.ts';
import { everyScreen } from '#tests/support/every-screen.ts';
import { startServer } from '#tests/support/server.ts';

it('no screen of an Arabic backend is wider than 640 pixels', async () => {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const demo = await createDemoContent(app);
  const screens = await everyScreen(app, demo);
  await app.db.user.update({ where: { id: demo.ada.id }, data: { language: 'ar' } });
  const session = await openBrowserSession(app, server, demo.ada.id, {
    viewport: { width: 640, height: 450 },
  });
  const { page } = session;
  const wide: unknown[] = [];
  let examined = 0;
  // What is done on a screen is named in English there: axe.test.ts does it.
  const paths = new Set(screens.flatMap(({ path, loggedOut }) => (loggedOut ? [] : path)));
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'load' });
    const { isRtl, sticksOut } = await page.evaluate(() => ({
      isRtl: document.dir === 'rtl',
      sticksOut: document.documentElement.scrollWidth - window.innerWidth,
    }));
    // The frames of the site are in its own language.
    if (isRtl) examined += 1;
    if (sticksOut > 0) wide.push({ path, sticksOut });
  }
  await session.close();
  await server.stop();
  await app.close();
  expect(examined).toBeGreaterThan(30);
  expect(wide).toEqual([]);
}, 600_000);
