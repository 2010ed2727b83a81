import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { Manifest } from '#app/backup/format/manifest.ts';
import type { BackupRow } from '#app/backup/format/rows.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { createCategory, createMedia, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

/** A backup on the disk that a test spoils. */
export interface Spoilt {
  folder: string;
  at(name: string): string;
  /** Changes the manifest. */
  manifest(change: (manifest: Manifest & Record<string, unknown>) => void): Promise<void>;
  /** Changes the rows of a table, and the manifest so that every checksum fits. */
  rows(table: string, change: (rows: BackupRow[]) => BackupRow[] | undefined): Promise<void>;
  /** Changes the bytes of a file, and the manifest so that every checksum fits. */
  bytes(name: string, change: (content: Buffer) => Buffer): Promise<void>;
}

export const picture = '2026/11/first.webp';
export const secondPicture = '2026/11/second.webp';

/** The change of the backup, the file that the refusal must name, and its reason. */
export type Tampering = [
  way: string,
  spoil: (backup: Spoilt) => Promise<unknown>,
  file: string,
  reason: RegExp,
];

export async function makeBackup(): Promise<string> {
  const app = await createTestApp();
  const user = await createUser(app);
  const category = await createCategory(app);
  const tags = [await createTag(app), await createTag(app)];
  for (const name of [picture, secondPicture]) {
    const content = `content of ${name}`.padEnd(40);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await mkdir(path.join(app.env.uploadsDir, '2026/11'), { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, name), content);
    await createMedia(app, { path: name, bytes: Buffer.byteLength(content), sha256 });
  }
  for (let number = 0; number < 2; number += 1)
    await createPost(app, { authorId: user.id, categoryId: category.id, tagIds: tags.map(({ id }) => id) });
  const outputDir = path.join(await tempFolder(), 'backup');
  const { warnings } = await exportBackup(app, { outputDir });
  expect(warnings).toEqual([]);
  await app.close();
  return outputDir;
}

export async function spoiltCopy(source: string): Promise<Spoilt> {
  const folder = path.join(await tempFolder(), 'backup');
  await cp(source, folder, { recursive: true });
  const at = (name: string) => path.join(folder, name);
  const manifest: Spoilt['manifest'] = async (change) => {
    const value = JSON.parse(await readFile(at('manifest.json'), 'utf8')) as Manifest &
      Record<string, unknown>;
    change(value);
    await writeFile(at('manifest.json'), `${JSON.stringify(value, null, 2)}\n`);
  };
  const bytes: Spoilt['bytes'] = async (name, change) => {
    const content = change(await readFile(at(name)));
    await writeFile(at(name), content);
    const file = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    await manifest(({ tables, media }) => {
      for (const entry of tables)
        if (entry.file === name)
          Object.assign(entry, file, { rows: content.toString().split('\n').length - 1 });
      for (const entry of media) if (`media/${entry.path}` === name) Object.assign(entry, file);
    });
  };
  const rows: Spoilt['rows'] = (table, change) =>
    bytes(`tables/${table}.jsonl`, (content) => {
      const parsed = content
        .toString()
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as BackupRow);
      const changed = change(parsed) ?? parsed;
      return Buffer.from(changed.map((row) => `${JSON.stringify(row)}\n`).join(''));
    });
  return { folder, at, manifest, rows, bytes };
}

export async function flip(file: string, position: number): Promise<void> {
  const content = await readFile(file);
  const index = position < 0 ? content.length + position : position;
  content[index]! ^= 1;
  await writeFile(file, content);
}

export async function poke(file: string, position: number, byte: number): Promise<void> {
  const content = await readFile(file);
  content[position] = byte;
  await writeFile(file, content);
}

export async function swap(first: string, second: string): Promise<void> {
  await rename(first, `${first}.swap`);
  await rename(second, first);
  await rename(`${first}.swap`, second);
}

export async function linkAway(backup: Spoilt, name: string): Promise<void> {
  const elsewhere = path.join(await tempFolder(), 'elsewhere');
  await rename(backup.at(name), elsewhere);
  await symlink(elsewhere, backup.at(name));
}

export async function makeFifo(backup: Spoilt, name: string): Promise<void> {
  await rm(backup.at(name));
  execFileSync('mkfifo', [backup.at(name)]);
}

export async function makeFolder(backup: Spoilt, name: string): Promise<void> {
  await rm(backup.at(name));
  await mkdir(backup.at(name));
}

export async function prepend(file: string, text: string): Promise<void> {
  await writeFile(file, text + (await readFile(file, 'utf8')));
}

export async function replaceIn(file: string, what: string | RegExp, by: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(what, by));
}

export function swapText(what: string, by: string): (content: Buffer) => Buffer {
  return (content) => Buffer.from(content.toString().replace(what, by));
}
