import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeInSteps } from '#app/time-travel/scratch-site.server.ts';

it('removes a folder with files of every size', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-test-'));
  await writeFile(path.join(folder, 'large.db'), Buffer.alloc(9 * 1024 * 1024));
  await writeFile(path.join(folder, 'empty'), '');
  await mkdir(path.join(folder, 'folder'));
  await removeInSteps(folder);
  expect(existsSync(folder)).toBe(false);
});

it('removes the rest of a folder whose files somebody else removes at the same time', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-test-'));
  const files = ['site.db', 'site.db-wal'].map((name) => path.join(folder, name));
  for (const file of files) {
    await writeFile(file, '');
    await truncate(file, 40 * 1024 * 1024);
  }
  const removed = removeInSteps(folder);
  await Promise.all(files.map((file) => rm(file)));
  await removed;
  expect(existsSync(folder)).toBe(false);
});

it('has nothing to do for a folder that is gone', async () => {
  await expect(removeInSteps(path.join(tmpdir(), 'dateline-test-none'))).resolves.toBeUndefined();
});
