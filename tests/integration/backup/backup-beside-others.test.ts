// Imports and exports that wait for each other, and one of many posts: some seconds each.
import path from 'node:path';
import { expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { takeUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import { createTestApp, describeWithApp } from '#tests/support/app.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { insertPublishedBlog } from '#tests/support/published-blog.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const newFolder = async () => path.join(await tempFolder(), 'backup');

async function makeBackup(posts: number): Promise<{ inputDir: string; slugs: string[] }> {
  const app = await createTestApp();
  const slugs = await insertPublishedBlog(app, posts);
  const inputDir = await newFolder();
  await exportBackup(app, { outputDir: inputDir });
  await app.close();
  return { inputDir, slugs };
}

describeWithApp(
  'beside others',
  (getApp) => {
    it('refuses an import beside another one, an export or an upload', async () => {
      const app = getApp();
      const { inputDir } = await makeBackup(3);
      for (const mode of ['exclusive', 'shared'] as const) {
        const lock = await takeUploadsLock(app, mode, 0);
        await expect(importBackup(app, { inputDir })).rejects.toThrow(/is running/);
        await lock!.release();
      }
      await importBackup(app, { inputDir });
    });

    it('imports more posts than one statement has parameters', async () => {
      const { inputDir, slugs } = await makeBackup(1_200);
      await importBackup(getApp(), { inputDir });
      expect(await getApp().db.sitemapEntry.count()).toBe(slugs.length);
    });

    it('refuses an export beside an import', async () => {
      const app = getApp();
      const lock = await takeUploadsLock(app, 'exclusive', 0);
      await expect(exportBackup(app, { outputDir: await newFolder() })).rejects.toThrow(
        'An import is running',
      );
      await lock!.release();
    });
  },
  { dialects: firstDialect('sqlite') },
);
