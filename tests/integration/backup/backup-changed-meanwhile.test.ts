// A table that changes while an import reads it: of the same size, and with rows that are right by themselves.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Progress } from '#app/backup/format/progress.ts';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { contentOf } from '#tests/support/instances.ts';
import { makeBackup, spoiltCopy } from '#tests/support/tampering/spoilt-backup.ts';

it.each(['Checking files', 'Checking rows'])('a table that changes after “%s” is refused', async (last) => {
  const backup = await spoiltCopy(await makeBackup());
  const target = await createTestApp();
  const before = await contentOf(target);
  const file = backup.at('tables/posts.jsonl');
  const original = readFileSync(file, 'utf8');
  const onProgress = ({ step, done, total }: Progress) => {
    if (step === last && done === total)
      writeFileSync(file, original.replace('"title":"Post', '"title":"Lost'));
  };
  await expect(importBackup(target, { inputDir: backup.folder, onProgress })).rejects.toThrow(
    'tables/posts.jsonl: its SHA-256 is not the one in manifest.json.',
  );
  expect(readFileSync(file, 'utf8')).not.toBe(original);
  expect(await contentOf(target)).toEqual(before);
  await target.close();
});
