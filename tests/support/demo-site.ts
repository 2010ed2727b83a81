import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { migrate } from '#app/platform/database/migrations.server.ts';
import { databaseTarget, parseEnv } from '#app/platform/env.server.ts';
import { seedSettings } from '#app/settings/seed.server.ts';
import { findChromium } from './chromium.mjs';
import { freePort } from './free-port.ts';

/** A site to take pictures of, with a browser. It needs the build, and no vitest. */
export interface DemoSite<Content> {
  app: App;
  url: string;
  browser: Browser;
  content: Content;
  close(): Promise<void>;
}

/** @param fill writes the content, before the server starts */
export async function openDemoSite<Content>(
  fill: (app: App) => Promise<Content>,
): Promise<DemoSite<Content>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-demo-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const variables = {
    DATABASE_URL: `file:${path.join(folder, 'blog.db')}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
    AUTH_SECRET: 'demo-secret-of-more-than-32-characters',
    AUTH_URL: url,
    LOG_LEVEL: 'silent',
    PORT: String(port),
    HOST: '127.0.0.1',
  };
  await migrate(databaseTarget(variables.DATABASE_URL));
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  await seedSettings(app);
  const content = await fill(app);
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
  const close = async () => {
    await browser.close();
    server.kill();
    await ended;
    await closeApp(app);
    await rm(folder, { recursive: true, force: true });
  };
  return { app, url, browser, content, close };
}
