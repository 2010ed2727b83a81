import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Page } from 'playwright-core';
import { createTestApp, type TestApp } from './app.ts';
import { openBrowserSession, type BrowserSession } from './browser-session.ts';
import { createPost, createUser } from './factories.ts';
import { startServer, type TestServer } from './server.ts';

/** The live editor in a new browser for each test of a file. An error in the browser's log fails the test. */
export interface EditorPage {
  app: TestApp;
  /** An editor, logged in. */
  userId: string;
  session: BrowserSession;
  page: Page;
  /** Opens a draft; `value` is what the form would send as its text. */
  openEditor(body?: string): Promise<{ post: { id: string }; value: () => Promise<string> }>;
  /** The caret at the beginning or the end of the text. */
  goTo(key: 'Home' | 'End'): Promise<void>;
  /** Presses keys, one after the other. */
  press(...keys: string[]): Promise<void>;
  /** Types on the keyboard. */
  type(words: string): Promise<void>;
}

/** A machine that stands still for a second between any two looks at the page's clock. */
export function standStill(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const realNow = Date.now;
    let standstills = 0;
    Date.now = () => realNow() + (standstills += 1_000);
  });
}

/** Call it at the top of a test file; the answer is filled before each test. */
export function useEditorPage(): EditorPage {
  let server: TestServer;
  const here = {} as EditorPage;
  Object.assign(here, {
    async openEditor(body = '') {
      const post = await createPost(here.app, { body, authorId: here.userId });
      await here.session.open(`posts/${post.id}`);
      await here.page.locator('.writing[data-live]').waitFor();
      return { post, value: () => here.page.locator('[name=body]').inputValue() };
    },
    async goTo(key) {
      await here.page.locator('.cm-content').focus();
      await here.page.keyboard.press(`Control+${key}`);
    },
    async press(...keys) {
      for (const key of keys) await here.page.keyboard.press(key);
    },
    type: (words) => here.page.keyboard.type(words),
  } satisfies Pick<EditorPage, 'openEditor' | 'goTo' | 'press' | 'type'>);
  beforeAll(async () => {
    here.app = await createTestApp({ now: new Date() });
    server = await startServer({ env: here.app.variables });
    here.userId = (await createUser(here.app, { role: 'editor' })).id;
  });
  afterAll(async () => {
    await server?.stop();
    await here.app?.close();
  });
  beforeEach(async () => {
    here.session = await openBrowserSession(here.app, server, here.userId);
    here.page = here.session.page;
  });
  afterEach(async () => {
    const { troubles } = here.session;
    await here.session.close();
    expect(troubles).toEqual([]);
  });
  return here;
}
