import type { App } from '#app/app.ts';
import { readRows, withSnapshot } from '#app/backup/snapshot.server.ts';
import { businessTables, type BusinessTable } from '#app/backup/table-lists.ts';
import { yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { insertJson } from '#app/platform/json-insert.server.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { replacePublicContent } from '#app/publishing/replace-content.server.ts';
import { secretSettingKeys } from '#app/settings/catalogue.ts';

/** Characters in one statement: about two milliseconds. */
const BATCH_CHARACTERS = 200_000;
/** Tables that no reader sees anything of. */
const unseen = new Set(['import_items', 'trash_items']);
const secretColumns = ['password_hash', 'totp_secret', 'recovery_codes'];

/** Copies all content into an empty SQLite database, as backups hold it, without anybody's secrets. */
export async function copyRows(from: App, to: App): Promise<void> {
  const tables = businessTables.filter(({ name }) => !unseen.has(name));
  await withSnapshot(from.env.database, async (snapshot) => {
    const names = tables.map(({ name }) => name);
    await replacePublicContent(to, names, async (tx) => {
      for (const table of tables) await copyTable(snapshot, tx, table);
    });
  });
}

async function copyTable(snapshot: Transaction, tx: Transaction, table: BusinessTable): Promise<void> {
  let lines: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (lines.length > 0) await insertJson(tx, 'sqlite', table.name, table.columns, `[${lines.join(',')}]`);
    lines = [];
    characters = 0;
    await yieldToEventLoop();
  };
  for await (const row of readRows(snapshot, table)) {
    if (table.name === 'settings' && (secretSettingKeys as string[]).includes(String(row.key))) continue;
    if (table.name === 'users') for (const column of secretColumns) row[column] = null;
    const line = JSON.stringify(row);
    lines.push(line);
    characters += line.length;
    if (characters >= BATCH_CHARACTERS) await flush();
  }
  await flush();
}
