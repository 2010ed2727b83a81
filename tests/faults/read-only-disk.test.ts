// A server that starts where its SQLite file is on a read-only disk: readers get every page, writers the reason.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createApp, closeApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { separateFileSystem } from '#tests/support/separate-file-system.ts';
import { startServer } from '#tests/support/server.ts';
import { prepareTemplate } from '#tests/support/template.ts';

const remount = (folder: string, mode: 'ro' | 'rw') =>
  execFileSync('mount', ['-o', `remount,${mode}`, folder], { stdio: 'ignore' });

test('a server on a read-only disk answers public pages, and writes again once the disk takes them', async (context) => {
  const { folder, release } = await separateFileSystem();
  const template = await createTestApp();
  try {
    // Where the machine mounts nothing, no disk can be made read-only.
    if (folder.startsWith('/dev/shm')) context.skip();
    const variables = {
      ...template.variables,
      DATABASE_URL: `file:${path.join(folder, 'dateline.db')}`,
      SEARCH_HOST: `file:${path.join(folder, 'search.db')}`,
      UPLOADS_DIR: path.join(folder, 'uploads'),
    };
    await prepareTemplate(variables.DATABASE_URL);
    const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
    await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
    await closeApp(app);
    remount(folder, 'ro');
    const server = await startServer({ env: { ...variables, LOG_LEVEL: 'error' } });
    try {
      const reader = server.client();
      for (let round = 0; round < 2; round += 1)
        for (const page of [
          '/',
          '/posts/calm',
          '/archive',
          '/rss.xml',
          '/sitemap.xml',
          '/search?q=calm',
          '/admin/login',
        ])
          expect([page, (await reader.get(page)).status]).toEqual([page, 200]);
      expect((await reader.get('/posts/none')).status).toBe(404);
      const ready = await reader.get('/api/ready');
      expect([ready.status, ready.json<{ data: { checks: object } }>().data.checks]).toMatchObject([
        503,
        { database: 'unwritable', migrations: 'ok' },
      ]);
      const login = { email: 'ada@example.org', password: 'a-long-password' };
      const refused = await reader.post('/admin/login', login, { accept: 'application/json' });
      expect([refused.status, refused.json<{ error: { message: string } }>().error.message]).toEqual([
        503,
        expect.stringContaining('read-only'),
      ]);
      expect((await reader.post('/admin/login', login)).text).toContain('read-only');
      // No page was answered by a failure that is logged.
      expect(server.stdout()).not.toContain('could not be answered from the cache');
      remount(folder, 'rw');
      await expect
        .poll(async () => (await reader.post('/admin/login', login)).status, {
          timeout: 60_000,
          interval: 1_000,
        })
        .toBe(400);
      expect((await reader.get('/posts/calm')).status).toBe(200);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  } finally {
    await template.close();
    await release();
  }
});
