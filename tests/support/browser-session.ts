import type { BrowserContextOptions, Page } from 'playwright-core';
import type { App } from '#app/app.ts';
import { startSession } from '#app/auth/sessions.server.ts';
import { browser } from './browser.ts';
import type { TestServer } from './server.ts';

/** One person's browser, as a test sits before it. */
export interface BrowserSession {
  page: Page;
  /** Opens a screen; `path` is below the backend. Waits until the page and its scripts are loaded, or for less. */
  open(path: string, until?: 'load' | 'commit'): Promise<void>;
  /** What was logged as an error, thrown, refused or not found; a test expects none. */
  troubles: string[];
  close(): Promise<void>;
}

/**
 * Opens a browser of its own, logged in by a session in the database.
 * @param userId null: nobody
 */
export async function openBrowserSession(
  app: App,
  server: TestServer,
  userId: string | null,
  options: BrowserContextOptions = {},
): Promise<BrowserSession> {
  const context = await (await browser()).newContext({ baseURL: server.url, ...options });
  // A loaded machine may take its time; what never comes still fails.
  context.setDefaultTimeout(45_000);
  if (userId) {
    const cookie = await startSession(app, userId, { userAgent: 'Browser test', address: '127.0.0.1' });
    const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
    await context.addCookies([{ name, value, url: server.url, httpOnly: true }]);
  }
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => void troubles.push(error.message));
  page.on('console', (message) => {
    // A browser logs every answer from 400 on; those that a test asks for are no trouble.
    const isStatus = /the server responded with a status of/.test(message.text());
    if (message.type() === 'error' && !isStatus) troubles.push(message.text());
  });
  return {
    page,
    troubles,
    async open(path, until = 'load') {
      await page.goto(`/admin/${path}`.replace(/\/$/, ''), { waitUntil: until });
    },
    close: () => context.close(),
  };
}

/** Name of the field that has the focus. */
export const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);

/** Where scripts run, a panel comes between the button and the post's going out: its own button does it. */
export const confirmGoingOut = (page: Page): Promise<void> =>
  page.locator('.publish-panel footer .primary').click();

/** Scripts come when they are let go, as on a slow connection. */
export async function holdScripts(page: Page): Promise<{ letGo(): Promise<void> }> {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  const isScript = ({ pathname }: URL) => pathname.endsWith('.js');
  await page.route(isScript, (route) => gone.then(() => route.continue()));
  return {
    async letGo() {
      letGo();
      await page.waitForLoadState();
      await page.unroute(isScript);
    },
  };
}
