// `npm run screenshots`: every screen of the backend, on a desk, on a phone and in the dark, into the ignored
// folder screenshots/. Needs a build. `npm run screenshots -- editor` takes those whose name has "editor".
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { closeApp, createApp } from '#app/compose.server.ts';
import { databaseTarget, parseEnv } from '#app/platform/env.server.ts';
import { migrate } from '#app/platform/migrations.server.ts';
import { seedSettings } from '#app/settings/seed.server.ts';
import { startScript } from '#tests/support/child-process.ts';
import { freePort } from '#tests/support/free-port.ts';
import { editorLogin, fillNewsroom } from '#tests/support/newsroom.ts';

const wanted = process.argv[2] ?? '';
const folder = await mkdtemp(path.join(tmpdir(), 'dateline-screenshots-'));
const port = await freePort();
const url = `http://localhost:${port}`;
const variables = {
  DATABASE_URL: `file:${path.join(folder, 'blog.db')}`,
  UPLOADS_DIR: path.join(folder, 'uploads'),
  AUTH_SECRET: 'screenshots-secret-of-more-than-32-characters',
  AUTH_URL: url,
  LOG_LEVEL: 'silent',
  PORT: String(port),
  HOST: '127.0.0.1',
};

const views = [
  { name: 'desk', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 780, colorScheme: 'light' },
  { name: 'wide', width: 3840, height: 2160, colorScheme: 'light' },
] as const;

await migrate(databaseTarget(variables.DATABASE_URL));
const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
await seedSettings(app);
const room = await fillNewsroom(app);
const draft = await app.db.post.findFirstOrThrow({ where: { status: 'draft' } });
const live = await app.db.post.findFirstOrThrow({
  where: { status: 'published', coverMediaId: { not: null } },
});
const server = startScript('bin/start.mjs', [], { env: variables });
while (!(await fetch(`${url}/api/health`).catch(() => null)))
  await new Promise((done) => setTimeout(done, 100));
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
});

/** Name → path below the backend, and what to do there before the picture. */
const screens: [name: string, address: string, act?: (page: Page) => Promise<unknown>][] = [
  ['dashboard', ''],
  ['posts', 'posts'],
  ['posts-bulk', 'posts', chooseForBulk],
  ['editor-new', 'posts/new'],
  ['editor-draft', `posts/${draft.id}`],
  ['editor-live', `posts/${live.id}`, (page) => page.click('text=Live preview')],
  ['editor-error', `posts/${draft.id}`, (page) => page.click('button[value=schedule]')],
  ['revisions', `posts/${live.id}/revisions`],
  ['previews', `posts/${draft.id}/previews`, (page) => page.click('text=New link')],
  ['conflict', `posts/${live.id}`, makeConflict],
  ['calendar', 'calendar'],
  ['system', 'system'],
  ['settings', 'settings/site'],
];

try {
  await mkdir('screenshots', { recursive: true });
  for (const view of views) await takeAll(view);
} finally {
  await browser.close();
  server.child.kill();
  await server.ended;
  await closeApp(app);
  await rm(folder, { recursive: true, force: true });
}

async function takeAll({ name, width, height, colorScheme }: (typeof views)[number]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') process.stderr.write(`${page.url()}: ${message.text()}\n`);
  });
  page.on('pageerror', (error) => void process.stderr.write(`${page.url()}: ${error.message}\n`));
  const shoot = async (screen: string) => {
    await page.screenshot({ path: `screenshots/${screen}-${name}.png`, fullPage: name !== 'wide' });
  };
  await page.goto(`${url}/admin/login`);
  if ('login'.includes(wanted)) await shoot('login');
  await page.fill('[name=email]', editorLogin.email);
  await page.fill('[name=password]', editorLogin.password);
  await page.click('main button');
  await page.waitForURL('**/admin');
  for (const [screen, address, act] of screens.filter(([screen]) => screen.includes(wanted))) {
    await page.goto(`${url}/admin/${address}`.replace(/\/$/, ''), { waitUntil: 'networkidle' });
    await act?.(page);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(300);
    await shoot(screen);
  }
  await context.close();
}

async function chooseForBulk(page: Page) {
  const boxes = page.locator('input[name=ids]');
  for (const index of [0, 1, 2]) await boxes.nth(index).check();
  await page.selectOption('select[name=action]', 'archive');
  await page.click('text=Go on');
}

async function makeConflict(page: Page) {
  const { version, body } = await app.db.post.findUniqueOrThrow({ where: { id: live.id } });
  const { editPost } = await import('#app/publishing/save-post.server.ts');
  await editPost(app, {
    postId: live.id,
    version,
    intent: 'save',
    fields: { body: `${body}\n\nTheir last word.`, title: 'The harbour lights come back' },
    editorId: room.sam.id,
  });
  await page.fill('[name=body]', body.replace('The first boat', 'The very first boat'));
  await page.fill('[name=title]', 'The harbour lights return');
  await page.click('button[value=save]');
}
