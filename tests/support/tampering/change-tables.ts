import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Manifest } from '#app/backup/format/manifest.ts';
import type { BackupRow } from '#app/backup/format/rows.ts';
import { businessTables } from '#app/backup/format/tables.ts';

/** The rows of a backup by table. */
export type Tables = Record<string, BackupRow[]>;

/** Changes the rows of a backup; its checksums fit again afterwards. */
export async function changeTables(folder: string, change: (tables: Tables) => void) {
  const file = path.join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  const tables: Tables = {};
  for (const { name, file: at } of manifest.tables) {
    const lines = (await readFile(path.join(folder, at), 'utf8')).split('\n').filter((line) => line !== '');
    tables[name] = lines.map((line) => JSON.parse(line) as BackupRow);
  }
  change(tables);
  for (const entry of manifest.tables) {
    const { key, columns } = businessTables.find(({ name }) => name === entry.name)!;
    const sorted = tables[entry.name]!.toSorted((a, b) => {
      const [left, right] = [a, b].map((row) => key.map((column) => String(row[column])).join('\0'));
      return Buffer.compare(Buffer.from(left!), Buffer.from(right!));
    });
    const text = sorted.map((row) => `${JSON.stringify(inOrder(row, Object.keys(columns)))}\n`).join('');
    await writeFile(path.join(folder, entry.file), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    Object.assign(entry, { rows: sorted.length, bytes: Buffer.byteLength(text), sha256 });
  }
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

function inOrder(row: BackupRow, columns: string[]): BackupRow {
  const known = columns.flatMap((column) => (column in row ? [[column, row[column]] as const] : []));
  return { ...(Object.fromEntries(known) as BackupRow), ...row };
}
