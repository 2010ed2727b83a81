import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { contentOf, sampleInstance, writeInstance } from '#tests/support/instances.ts';
import { separateFileSystem } from '#tests/support/separate-file-system.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

it('an uploads folder that is a mount point is filled and replaced without being renamed', async () => {
  const source = await createTestApp();
  await writeInstance(source, sampleInstance(12, 12));
  const inputDir = path.join(await tempFolder(), 'backup');
  await exportBackup(source, { outputDir: inputDir });
  await source.close();

  const own = await separateFileSystem();
  const app = await createTestApp({ variables: { UPLOADS_DIR: own.folder } });
  try {
    await mkdir(path.join(own.folder, '2025'));
    await writeFile(path.join(own.folder, '2025/old.png'), 'old');
    await importBackup(app, { inputDir, force: true });
    expect((await contentOf(app)).files).toEqual(sampleInstance(12, 12).files);
  } finally {
    await app.close();
    await own.release();
  }
});

it('an export onto a disk that is full names the folder, and leaves nothing', async () => {
  const app = await createTestApp();
  const own = await separateFileSystem(1);
  try {
    await mkdir(app.env.uploadsDir, { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, 'film.mp4'), Buffer.alloc(2 << 20));
    const done = exportBackup(app, { outputDir: path.join(own.folder, 'backup') });
    // Without a mount of its own there is room.
    if (own.folder.startsWith('/dev/shm')) return expect((await done).mediaFileCount).toBe(1);
    await expect(done).rejects.toThrow(`There is no room left in ${own.folder} (ENOSPC). Make room there`);
    expect(await readdir(own.folder)).toEqual([]);
  } finally {
    await app.close();
    await own.release();
  }
});
