// What an operator names instead of a backup's folder, and is told to do.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const older = 'dateline-2026-11-19T03-30-00-000Z';
const newer = 'dateline-2026-11-20T03-30-00-000Z';

it.each([
  ['the folder of backup:run', '.', `holds several backups. Name one of them; the newest is .*/${newer}`],
  ['an encrypted backup', `${newer}.tar.age`, 'is encrypted. Decrypt it into a folder.*age -d'],
  ['a status file', `${newer}.status.json`, 'is a file. Name the folder of a backup.'],
  ['a folder that is not there', 'nothing', '^There is no folder .*nothing.'],
  [
    'a bucket',
    's3://backups/site?region=us-east-1',
    '^A backup is read from a folder. Copy it from the bucket',
  ],
])('%s is not read as a backup, and the message says what to do', async (_, name, message) => {
  const app = await createTestApp();
  const folder = await tempFolder();
  for (const backup of [older, newer]) {
    await mkdir(path.join(folder, backup));
    await writeFile(path.join(folder, `${backup}.status.json`), '{}');
  }
  await writeFile(path.join(folder, `${newer}.tar.age`), 'age-encryption.org/v1\n');
  const inputDir = name.startsWith('s3:') ? name : path.join(folder, name);
  await expect(verifyBackup(app, { inputDir })).rejects.toThrow(new RegExp(message));
});
