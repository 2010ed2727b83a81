import { writeFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createApp, closeApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, createTestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { separateFileSystem } from '#tests/support/separate-file-system.ts';
import { startServer } from '#tests/support/server.ts';
import { prepareTemplate } from '#tests/support/template.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Fills the file system to the last byte. @returns what frees it again */
function fill(folder: string): () => void {
  const ballast = path.join(folder, 'ballast');
  for (const bytes of [1 << 20, 1 << 12, 1 << 9])
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    }
  return () => rmSync(ballast);
}

/** Starts a site whose database and files are in the folder. @returns an administrator's client */
async function startSiteIn(folder: string): Promise<Client> {
  const template = await createTestApp();
  closing.push(() => template.close());
  const variables = {
    ...template.variables,
    DATABASE_URL: `file:${path.join(folder, 'dateline.db')}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
  };
  await prepareTemplate(variables.DATABASE_URL);
  const server = await startServer({ env: variables });
  closing.push(() => server.stop());
  const editor = server.client();
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  await logInAsAdministrator(app, editor);
  await closeApp(app);
  return editor;
}

test('a full disk: readers read on, a save and readiness say so, the text is kept, and nothing needs repair', async () => {
  const disk = await separateFileSystem(24);
  closing.push(() => disk.release());
  if (disk.folder.startsWith('/dev/shm')) return expect(process.getuid?.()).not.toBe(0);
  const editor = await startSiteIn(disk.folder);
  const statusOf = async (path: string) => (await editor.get(path)).status;
  await createPostByForm(editor, { title: 'Calm', slug: 'calm', body: 'x', intent: 'publish' });
  const free = fill(disk.folder);
  expect(await statusOf('/posts/calm')).toBe(200);
  const body = `Precious text. ${'Words and words. '.repeat(20_000)}`;
  const save = () =>
    editor.post('/admin/posts/new', { title: 'Too much', slug: 'too-much', body, intent: 'publish' });
  const refused = await save();
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBeDefined();
  expect(refused.text).toContain('Precious text.');
  expect(refused.text).not.toMatch(/SQLITE|prisma|node_modules/i);
  expect(await statusOf('/posts/calm')).toBe(200);
  const ready = await editor.get('/api/ready');
  expect(ready.status).toBe(503);
  expect(ready.json()).toMatchObject({ data: { status: 'down', checks: { database: 'unwritable' } } });
  free();
  await expect.poll(() => statusOf('/api/ready'), { timeout: 30_000, interval: 500 }).toBe(200);
  await expect.poll(async () => (await save()).status, { timeout: 30_000 }).toBe(302);
  expect(await statusOf('/posts/too-much')).toBe(200);
});

describeWithApp('a clock that jumps', (getApp) => {
  const DAY_MS = 86_400_000;

  test('forwards and back: each post once, and the search index follows at once', async () => {
    const app = getApp();
    const due = new Date(app.clock.now().getTime() + DAY_MS);
    const { id } = await createPost(app, { status: 'scheduled', publishedAt: due, title: 'Jumper' });
    app.clock.advance(2 * DAY_MS);
    expect((await publishDue(app, 'command')).publishedPostIds).toEqual([id]);
    // A drain that was killed just then has left its lease behind.
    const later = new Date(app.clock.now().getTime() + 10_000);
    await app.db.lease.upsert({
      where: { name: 'search-drain' },
      create: { name: 'search-drain', holder: 'dead', expiresAt: later },
      update: { holder: 'dead', expiresAt: later },
    });
    app.clock.advance(-2 * DAY_MS);
    const second = await createPost(app, {
      status: 'scheduled',
      publishedAt: app.clock.now(),
      title: 'Second',
    });
    const started = performance.now();
    expect((await publishDue(app, 'command')).publishedPostIds).toEqual([second.id]);
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(await app.db.searchOutbox.count()).toBe(0);
    expect((await publishDue(app, 'command')).publishedCount).toBe(0);
  });
});
