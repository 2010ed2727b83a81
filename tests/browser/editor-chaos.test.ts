// Random mishaps while somebody writes in two tabs: reloads, no network, a killed server, an ended session. No word that
// was on a screen for two seconds is lost, and what a screen calls saved is in the database.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSession } from '#app/people/sessions/sessions.server.ts';
import { markdownToHtml } from '#app/posts/markdown/parser.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { createUser } from '#tests/support/factories.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** `DATELINE_CHAOS_STEPS=500 npx vitest run tests/browser/editor-chaos.test.ts` for the long run. */
const STEPS = Number(process.env.DATELINE_CHAOS_STEPS ?? 24);
const SEED = Number(process.env.DATELINE_CHAOS_SEED ?? 7);
const ON_SCREEN_MS = 2_000;

let app: TestApp;
let server: TestServer;
let port: number;
let userId: string;
let session: BrowserSession;
let postId: string;
let isUp = true;
let isOnline = true;

const start = () => startServer({ env: app.variables, port });

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  port = await freePort();
  server = await start();
  userId = (await createUser(app, { role: 'editor' })).id;
  // As the form makes it, so that its first text is among the revisions.
  const first = { title: 'Words', body: 'Start.' };
  postId = (await createPost(app, { intent: 'draft', fields: first, editorId: userId })).id;
  session = await openBrowserSession(app, server, userId);
});
afterAll(async () => {
  await session?.close();
  await server?.stop();
  await app?.close();
});

/** Words that were typed, with the time since when they are on a screen. */
const words = new Map<string, number>();
const tabs: Page[] = [];
let random = SEED;
const draw = (below: number) => {
  random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
  return (random >>> 8) % below;
};
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const context = () => session.page.context();

async function openTab(page: Page): Promise<void> {
  await page.goto(`/admin/posts/${postId}`, { waitUntil: 'load' }).catch(() => undefined);
  await page
    .locator('.writing[data-live]')
    .waitFor({ timeout: 20_000 })
    .catch(() => undefined);
}

const hasEditor = (page: Page) => page.locator('.cm-content').isVisible();

/** Types a word that nothing else contains, at the caret. */
async function typeWord(page: Page, before = ' '): Promise<void> {
  const word = `w${words.size}x${draw(1_000_000).toString(36)}`;
  await page.keyboard.type(before + word);
  words.set(word, performance.now());
}

/** The caret at the end of the text; false without an editor, which is then opened. */
async function goToEnd(page: Page): Promise<boolean> {
  if (!(await hasEditor(page))) {
    await openTab(page);
    return false;
  }
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  return true;
}

const mishaps: Record<string, (page: Page) => Promise<void>> = {
  async type(page) {
    if (await goToEnd(page)) await typeWord(page);
  },
  async enter(page) {
    if (!(await goToEnd(page))) return;
    await page.keyboard.press(draw(3) === 0 ? 'Shift+Enter' : 'Enter');
    await typeWord(page, '');
  },
  async link(page) {
    if (!(await goToEnd(page))) return;
    await typeWord(page);
    for (const key of ['Control+Shift+ArrowLeft', 'Control+k']) await page.keyboard.press(key);
    await page.keyboard.type('https://example.org/a');
    await page.keyboard.press('Enter');
    await typeWord(page, draw(2) === 0 ? '' : ' ');
  },
  async footnote(page) {
    if (!(await goToEnd(page))) return;
    await page.keyboard.insertText(' /footnote');
    await page.keyboard.press('Enter');
    await typeWord(page, '');
    await page.keyboard.press('Escape');
    await typeWord(page, '');
  },
  /** Somewhere in the text, beside whatever is hidden there. */
  async elsewhere(page) {
    if (!(await goToEnd(page))) return;
    for (let steps = draw(30); steps > 0; steps -= 1)
      await page.keyboard.press(['ArrowLeft', 'ArrowUp', 'End', 'Control+ArrowLeft'][draw(4)]!);
    await typeWord(page, '');
  },
  wait: () => pause(2_300),
  async save(page) {
    if (await hasEditor(page)) await page.keyboard.press('Control+s');
  },
  async reload(page) {
    if (isUp && isOnline) await openTab(page);
  },
  async network() {
    isOnline = !isOnline;
    await context().setOffline(!isOnline);
  },
  async kill() {
    if (isUp) await server.stop('SIGKILL');
    else server = await start();
    isUp = !isUp;
  },
  async secondTab() {
    if (!isUp || !isOnline) return;
    if (tabs.length === 1) {
      tabs.push(await context().newPage());
      await openTab(tabs[1]!);
    } else await tabs.pop()!.close({ runBeforeUnload: false });
  },
  async endSession() {
    if (!isUp) return;
    await app.db.session.deleteMany({ where: { userId } });
    await pause(1_500);
    const cookie = await startSession(app, userId, { userAgent: 'Chaos', address: '127.0.0.1' });
    const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
    await context().addCookies([{ name, value, url: server.url, httpOnly: true }]);
  },
};
// Typing is what people do most.
const deck = [
  'type',
  'type',
  'type',
  'wait',
  'save',
  'reload',
  'network',
  'kill',
  'secondTab',
  'endSession',
  'type',
  'enter',
  'link',
  'footnote',
  'elsewhere',
];

/** What a tab shows. */
interface Shown {
  /** Whether the text is saved, in its words; `''` while that changes. */
  says: string;
  body: string;
  /** Texts that this device keeps. */
  kept: string;
}

const shownBy = (page: Page): Promise<Shown | null> =>
  page
    .evaluate(async () => {
      const state = () => document.querySelector('.save-state')?.textContent ?? '';
      const before = state();
      // Longer than the live editor waits before it gives its text to the field.
      await new Promise((done) => setTimeout(done, 250));
      const kept = Object.keys(localStorage).map((key) => localStorage.getItem(key)!);
      const body = document.querySelector<HTMLTextAreaElement>('[name=body]')?.value ?? '';
      return { says: before === state() ? before : '', body, kept: kept.join('\n') };
    })
    .catch(() => null);

async function inDatabase(): Promise<string[]> {
  const { body } = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
  const revisions = await app.db.revision.findMany({ where: { postId } });
  return [body, ...revisions.map(({ fields }) => (JSON.parse(fields) as { body: string }).body)];
}

/** Marks of links and footnotes that readers would see as text. */
const brokenMarks = (body: string) =>
  markdownToHtml(body)!
    .replace(/<[^>]+>/g, '')
    .match(/\]\(|\[\^|\]:|example\.org/g) ?? [];

/** Screens that say that their text is saved, though the database lacks it. */
const wronglySaved = (screens: Shown[], stored: string[]) =>
  screens.filter(({ says, body }) => /^Saved/.test(says) && !stored.includes(body));

async function check(step: string): Promise<void> {
  let screens: Shown[] = [];
  let stored: string[] = [];
  const look = async () => {
    screens = (await Promise.all(tabs.map(shownBy))).flatMap((shown) => shown ?? []);
    stored = await inDatabase();
    return wronglySaved(screens, stored);
  };
  // A tab that was opened before another one saved learns of it within five seconds.
  await expect.poll(look, { message: `${step}: called saved`, timeout: 30_000 }).toEqual([]);
  if (screens.length === 0) return;
  expect(
    screens.flatMap(({ body }) => brokenMarks(body)),
    `${step}: broken marks`,
  ).toEqual([]);
  const everywhere = [...stored, ...screens.flatMap(({ body, kept }) => [body, kept])].join('\n');
  const lost = [...words].filter(
    ([word, since]) => performance.now() - since > ON_SCREEN_MS + 500 && !everywhere.includes(word),
  );
  expect(lost, `${step}: lost`).toEqual([]);
}

it(
  `${STEPS} random steps: no word is lost, and what is called saved is saved`,
  async () => {
    tabs.push(session.page);
    await openTab(session.page);
    const log: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const name = deck[draw(deck.length)]!;
      const page = tabs[draw(tabs.length)]!;
      log.push(name);
      const before = new Set(words.keys());
      const seen = performance.now();
      await mishaps[name]!(page);
      if (name === 'reload' || name === 'secondTab')
        // Words that were on the screen for less than two seconds are owed to nobody when their page goes.
        for (const [word, since] of words)
          if (before.has(word) && seen - since < ON_SCREEN_MS) words.delete(word);
      await check(`step ${step} of seed ${SEED}: ${log.slice(-12).join(', ')}`);
    }
    if (!isOnline) await mishaps.network!(session.page);
    if (!isUp) await mishaps.kill!(session.page);
    await pause(2_500);
    await check('at the end');
    expect(words.size).toBeGreaterThan(0);
  },
  STEPS * 8_000 + 60_000,
);
