import type { BrowserContextOptions, Page } from 'playwright-core';
import type { App } from '#app/app.ts';
import { startSession } from '#app/people/sessions/sessions.server.ts';
import { browser } from './browser.ts';
import type { TestServer } from './server.ts';

/** The browser of one person in a test. */
export interface BrowserSession {
  page: Page;
  /**
   * Opens a screen; `path` is below the backend. Waits until the page and its scripts are loaded, or (`commit`) only
   * for the start of the response.
   */
  open(path: string, until?: 'load' | 'commit'): Promise<void>;
  /** Errors in the console, exceptions and refused requests; a test expects none. */
  troubles: string[];
  close(): Promise<void>;
}

/**
 * Opens a separate browser, logged in by a session in the database.
 * @param userId null: nobody
 */
export async function openBrowserSession(
  app: App,
  server: TestServer,
  userId: string | null,
  options: BrowserContextOptions = {},
): Promise<BrowserSession> {
  const context = await (await browser()).newContext({ baseURL: server.url, ...options });
  // Long enough for a busy machine. A missing element still fails the test.
  context.setDefaultTimeout(45_000);
  if (userId) {
    const cookie = await startSession(app, userId, { userAgent: 'Browser test', address: '127.0.0.1' });
    const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
    await context.addCookies([{ name, value, url: server.url, httpOnly: true }]);
  }
  // Whoever looks for a field of a post finds it: the panel was left open. On a phone it never is.
  if (!(options.viewport && options.viewport.width <= 768))
    await context.addCookies([{ name: 'dateline_view', value: 'live.settings', url: server.url }]);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => void troubles.push(error.message));
  page.on('console', (message) => {
    // A browser logs every answer from 400 on. Those that a test asks for are not errors.
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

/** Opens a screen with the editor, and waits for its scripts: a button that is pressed before sends the form as a page. */
export async function openEditorScreen(
  app: App,
  server: TestServer,
  userId: string,
  path: string,
): Promise<BrowserSession> {
  const session = await openBrowserSession(app, server, userId);
  await session.open(path);
  await session.page.locator('.writing[data-live]').waitFor();
  return session;
}

/** Chooses what stands behind "…" in the editor's bar. */
export async function fromMenu(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.locator('#post-menu').getByRole('button', { name }).click();
}

/** Saves with the editor's button, which stands behind "…" while publishing is the next step. */
export async function pressSave(page: Page, press: 'click' | 'dblclick' = 'click'): Promise<void> {
  const save = page.locator('.editor-bar button[value=save]');
  if (!(await save.isVisible())) await page.getByRole('button', { name: 'More', exact: true }).click();
  await save[press]();
}

/** Opens or closes the panel with the post's settings, which is closed for a new post. */
export const toggleSettings = (page: Page): Promise<void> =>
  page.locator('.editor-settings > summary').click();

/** Name of the field that has the focus. */
export const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);

/** Presses Tab until an element that matches the selector has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${selector}`);
}

/** With scripts, the button that publishes a post opens a panel. The panel's own button publishes it. */
export const confirmPublishing = (page: Page): Promise<void> =>
  page.locator('.publish-panel footer .primary').click();

/** Delays scripts until `release`, as on a slow connection. */
export async function delayScripts(page: Page): Promise<{ release(): Promise<void> }> {
  let resolveReleased = () => {};
  const released = new Promise<void>((resolve) => (resolveReleased = resolve));
  const isScript = ({ pathname }: URL) => pathname.endsWith('.js');
  await page.route(isScript, (route) => released.then(() => route.continue()));
  return {
    async release() {
      resolveReleased();
      await page.waitForLoadState();
      await page.unroute(isScript);
    },
  };
}
