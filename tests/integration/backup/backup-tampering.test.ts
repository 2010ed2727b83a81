import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { makeFolderAtomically } from '#app/backup/write/folder-writer.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { contentOf, sampleInstance, writeInstance, type Content } from '#tests/support/instances.ts';
import { fileTamperings } from '#tests/support/tampering/files.ts';
import { rowTamperings } from '#tests/support/tampering/rows.ts';
import { picture, makeBackup, spoiltCopy } from '#tests/support/tampering/spoilt-backup.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const ways = [...fileTamperings, ...rowTamperings];

describe('a backup that was tampered with', () => {
  let source: string;
  let target: TestApp;
  let before: Content;

  beforeAll(async () => {
    source = await makeBackup();
    target = await createTestApp();
    await writeInstance(target, sampleInstance(2, 6));
    before = await contentOf(target);
    await importBackup(target, { inputDir: source, force: true });
    await writeInstance(target, sampleInstance(2, 6));
    before = await contentOf(target);
  });
  afterAll(() => target.close());

  it('is tried in more than forty ways', () => {
    expect(new Set(ways.map(([way]) => way)).size).toBe(ways.length);
    expect(ways.length).toBeGreaterThan(40);
  });

  it.each(ways)('is refused with %s', async (_, spoil, file, reason) => {
    const backup = await spoiltCopy(source);
    await spoil(backup);
    for (const attempt of [
      () => verifyBackup(target, { inputDir: backup.folder }),
      () => importBackup(target, { inputDir: backup.folder, force: true }),
    ]) {
      const refusal = await attempt().then(
        () => 'accepted',
        (error: unknown) => (error as Error).message,
      );
      expect(refusal).toContain(file);
      expect(refusal).toMatch(reason);
      expect(refusal).not.toContain('\n');
    }
    expect(await contentOf(target)).toEqual(before);
    expect((await readdir(target.env.uploadsDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

it.each([0, 4, '\t'])(
  'a manifest that a tool has written again is accepted (indented by %j)',
  async (indent) => {
    const target = await createTestApp();
    const backup = await spoiltCopy(await makeBackup());
    const manifest = JSON.parse(await readFile(backup.at('manifest.json'), 'utf8')) as unknown;
    await writeFile(backup.at('manifest.json'), JSON.stringify(manifest, null, indent));
    const { valid } = await verifyBackup(target, { inputDir: backup.folder });
    expect(valid).toBe(true);
    await importBackup(target, { inputDir: backup.folder });
    await target.close();
  },
);

describe('a file of a backup that may not be read', () => {
  it.each(['manifest.json', 'tables/posts.jsonl', `media/${picture}`])('%s is named', async (file) => {
    const target = await createTestApp();
    const backup = await spoiltCopy(await makeBackup());
    await target.db.post.count(); // opens the database while its folder may be entered
    await openForAll(path.dirname(backup.folder));
    await chmod(backup.at(file), 0);
    await asNobody(() =>
      expect(importBackup(target, { inputDir: backup.folder })).rejects.toThrow(
        `${file}: it cannot be read (EACCES).`,
      ),
    );
    await target.close();
  });
});

it('a folder in which no backup can be written is named, with the reason', async () => {
  const parent = await tempFolder();
  await chmod(parent, 0o555);
  await asNobody(() =>
    expect(makeFolderAtomically(path.join(parent, 'backup'), async () => {})).rejects.toThrow(
      `The folder ${parent} cannot be written (EACCES). Give it to the user who runs this command`,
    ),
  );
  expect(await readdir(parent)).toEqual([]);
});

async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/** Root reads every file, so it steps down for the time of `work`. */
async function asNobody(work: () => Promise<unknown>): Promise<void> {
  const isRoot = process.geteuid!() === 0;
  if (isRoot) process.seteuid!(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}
