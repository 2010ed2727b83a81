import { chown, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createPrivateFile } from '#app/platform/files/disk.server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

test.runIf(process.geteuid?.() === 0)('what root makes belongs to the owner of its folder', async () => {
  const folder = await tempFolder();
  await chown(folder, 65_534, 65_534);
  const file = path.join(folder, 'blog.db.uploads-lock');
  createPrivateFile(file);
  const { uid, gid, mode } = await stat(file);
  expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_534, 0o600]);
});
