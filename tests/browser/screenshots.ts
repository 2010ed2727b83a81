// `npm run screenshots`: every screen of the backend and the site, on a session, on a phone, in the dark and on
// a wide screen, into the ignored folder screenshots/. Needs a build. `npm run screenshots -- editor phone`
// takes those whose name has "editor", on the phone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { closeApp, createApp } from '#app/compose.server.ts';
import { databaseTarget, parseEnv } from '#app/platform/env.server.ts';
import { migrate } from '#app/platform/migrations.server.ts';
import { seedSettings } from '#app/settings/seed.server.ts';
import { freePort } from '#tests/support/free-port.ts';
import { findChromium } from '#tests/support/chromium.mjs';
import { everyScreen } from '#tests/support/every-screen.ts';
import { editorLogin, createDemoContent } from '#tests/support/demo-content.ts';

const [wanted = '', wantedView = ''] = process.argv.slice(2);
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
  { name: 'session', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 780, colorScheme: 'light' },
  { name: 'wide', width: 3840, height: 2160, colorScheme: 'light' },
] as const;

await migrate(databaseTarget(variables.DATABASE_URL));
const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
await seedSettings(app);
const room = await createDemoContent(app);
const screens = (await everyScreen(app, room)).filter(({ name }) => name.includes(wanted));
// Not the tests' own way of starting it: that one belongs to vitest.
const server = spawn(process.execPath, ['bin/start.mjs'], {
  env: { ...process.env, ...variables },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = once(server, 'exit');
while (!(await fetch(`${url}/api/health`).catch(() => null)))
  await new Promise((done) => setTimeout(done, 100));
const browser = await chromium.launch({
  executablePath: findChromium(),
  chromiumSandbox: process.getuid?.() !== 0,
});

try {
  await mkdir('screenshots', { recursive: true });
  for (const view of views) if (view.name.includes(wantedView)) await takeAll(view);
} finally {
  await browser.close();
  server.kill();
  await ended;
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
  const outside = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(`${url}/admin/login`);
  await page.fill('[name=email]', editorLogin.email);
  await page.fill('[name=password]', editorLogin.password);
  await page.click('main button');
  await page.waitForURL('**/admin');
  for (const screen of screens) {
    const on = screen.loggedOut ? outside : page;
    await on.goto(url + screen.path, { waitUntil: 'networkidle' });
    await screen.act?.(on);
    await on.waitForLoadState('networkidle');
    await on.waitForTimeout(300);
    await on.screenshot({ path: `screenshots/${screen.name}-${name}.png`, fullPage: name !== 'wide' });
  }
  await outside.close();
  await context.close();
}
