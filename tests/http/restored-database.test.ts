// An operator puts a backup of the SQLite file in its place while the server runs, and editors continue.
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createSitePreview } from '#app/time-travel/site-previews.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

test('the sitemap and the site at an instant have the new posts and not those of the old database', async () => {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const editor = server.client();
  const publish = (slug: string) =>
    createPostByForm(editor, { title: slug, slug, body: 'x', intent: 'publish' });
  const statusOf = async (address: string) => (await editor.get(address)).status;
  try {
    await logInAsAdministrator(app, editor);
    await publish('before');
    const instant = new Date(app.clock.now().getTime() + 3_600_000);
    const { path: preview } = await createSitePreview(app, {
      instant,
      isShared: true,
      createdById: 'editor',
    });
    const addresses = ['/sitemap.xml', `${preview}sitemap.xml`];
    const file = app.variables.DATABASE_URL!.slice('file:'.length);
    const copy = path.join(await tempFolder(), 'copy.db');
    const source = new BetterSqlite3(file, { readonly: true });
    await source.backup(copy);
    source.close();
    await publish('lost');
    for (const address of addresses) expect((await editor.get(address)).text).toContain('/posts/lost<');
    for (const ending of ['-wal', '-shm']) await rm(file + ending, { force: true });
    await rename(copy, file);
    await expect.poll(() => statusOf('/posts/lost')).toBe(404);
    await expect.poll(() => statusOf('/posts/before')).toBe(200);
    await publish('after');
    for (const address of addresses) {
      const { text } = await editor.get(address);
      expect(text, address).toContain('/posts/after<');
      expect(text, address).not.toContain('/posts/lost<');
    }
  } finally {
    await server.stop();
    await app.close();
  }
});
