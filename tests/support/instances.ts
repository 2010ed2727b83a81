// Whole instances with random content, from the table catalogue: a new column is included automatically.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import fc from 'fast-check';
import type { App } from '#app/app.ts';
import { fieldOf, type BackupRow, type Value } from '#app/backup/format/rows.ts';
import {
  businessTables,
  type BusinessTable,
  tableCatalogue,
  type TableName,
} from '#app/backup/format/tables.ts';
import { roles } from '#app/people/roles.ts';
import { isStorable } from '#app/platform/text/schemas.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { definitionOf, settingKeys, type SettingKey } from '#app/settings/catalogue.ts';
import { encryptSecret } from '#app/settings/secrets.server.ts';

export interface Instance {
  /** Table → rows as a backup with its secrets holds them. */
  rows: Record<string, BackupRow[]>;
  /** Path below the uploads folder → content. */
  files: Record<string, string>;
}

/** Random instances: all states, any text and time that can be stored, rows that refer to each other. */
export function arbitraryInstance(options: { largest?: number } = {}): fc.Arbitrary<Instance> {
  const largest = options.largest ?? 8;
  return fc
    .record({
      counts: fc.record(
        Object.fromEntries(businessTables.map(({ name }) => [name, fc.nat({ max: largest })])),
      ),
      seed: fc.integer(),
      // A letter in front avoids Windows's names of devices: a backup leaves `con.txt` out, with a warning.
      strays: fc.dictionary(fc.stringMatching(/^f[a-z0-9]{0,11}\.txt$/), fc.string(), { maxKeys: 3 }),
    })
    .map(({ counts, seed, strays }) => composeInstance(counts as Record<string, number>, seed, strays));
}

/** The same instance for the same seed. */
export function sampleInstance(seed: number, largest = 8): Instance {
  return fc.sample(arbitraryInstance({ largest }), { seed, numRuns: 1 })[0]!;
}

/** Text with everything that can be stored: control characters, emoji, line ends, other scripts, nothing. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
    { weight: 2, arbitrary: fc.stringMatching(/^[\x01-\x1f\u2028\u2029"\\/]{0,20}$/) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        ' ',
        'null',
        '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
        '\ufeff',
        '\r\n',
        "'; --",
      ),
    },
  )
  .filter((value) => isStorable(value));

const arbitraryTime = fc
  .oneof(
    fc.date({
      min: new Date('0001-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom(new Date('0001-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z'), new Date(0)),
  )
  .map((date) => date.toISOString());

function composeInstance(
  counts: Record<string, number>,
  seed: number,
  strays: Record<string, string>,
): Instance {
  const instance: Instance = { rows: {}, files: { ...strays } };
  let run = seed;
  const draw = <T>(arbitrary: fc.Arbitrary<T>): T =>
    fc.sample(arbitrary, { seed: (run += 7), numRuns: 1 })[0]!;
  for (const table of businessTables) {
    const made = new Map<string, BackupRow>();
    for (let number = 0; number < counts[table.name]!; number += 1) {
      const row = composeRow(table, number, instance, draw);
      if (row) made.set(table.key.map((column) => String(row[column])).join('\n'), row);
    }
    instance.rows[table.name] = [...made.values()];
  }
  return instance;
}

function composeRow(
  table: BusinessTable,
  number: number,
  instance: Instance,
  draw: <T>(arbitrary: fc.Arbitrary<T>) => T,
): BackupRow | undefined {
  const row: BackupRow = {};
  for (const [column, { type, nullable, choices }] of Object.entries(table.columns)) {
    const target = table.references?.[column];
    if (target) {
      const ids = instance.rows[target]!.map(({ id }) => id!);
      if (ids.length === 0 && !nullable) return undefined;
      row[column] =
        ids.length === 0 || (nullable && draw(fc.boolean())) ? null : draw(fc.constantFrom(...ids));
    } else if (nullable && draw(fc.nat({ max: 2 })) === 0) row[column] = null;
    else row[column] = draw(choices ? fc.constantFrom(...choices) : arbitraryValue(type));
    if (table.unique?.includes(column)) row[column] = `${String(row[column])}-${number}`;
    row[column] = acceptable(table, column, row[column], number);
  }
  const whole = { ...row, ...fixedColumns(table, number, instance, draw) };
  if (table.name !== 'settings') return whole;
  const { schema, default: usual } = definitionOf(whole.key as SettingKey);
  return schema.safeParse(whole.value).success ? whole : { ...whole, value: usual };
}

/** The value, or a similar one that the column accepts: not any text is an address, a name, a language or JSON. */
function acceptable({ columns }: BusinessTable, column: string, value: Value, number: number): Value {
  const candidates = [
    value,
    `${toSlug(String(value))}-${number}`,
    `n-${number}`,
    `n${number}@example.org`,
    `/n-${number}`,
    JSON.stringify(String(value)),
    '',
  ];
  return candidates.find((candidate) => columns[column]!.schema.safeParse(candidate).success) ?? value;
}

function fixedColumns(
  table: BusinessTable,
  number: number,
  instance: Instance,
  draw: <T>(arbitrary: fc.Arbitrary<T>) => T,
): BackupRow {
  const id: BackupRow = table.columns.id ? { id: draw(fc.uuid({ version: 7 })) } : {};
  switch (table.name) {
    case 'settings':
      return { key: settingKeys[number % settingKeys.length]! };
    case 'users':
      return { ...id, role: draw(fc.constantFrom(...roles)) };
    case 'posts': {
      const body = draw(fc.nat({ max: 30 })) === 0 ? 'Large 🗞 '.repeat(110_000) : draw(arbitraryText);
      return { ...id, status: draw(fc.constantFrom(...postStatuses)), body };
    }
    case 'media': {
      const original = storeFile(instance, draw(fc.string({ maxLength: 200 })));
      const { path, bytes } = storeFile(instance, draw(fc.string({ maxLength: 200 })));
      const variants = JSON.stringify([{ path, width: 1, height: 1, mimeType: 'image/webp', bytes }]);
      return { ...id, ...original, variants };
    }
    // Unique together with other columns.
    case 'comments':
      return { ...id, position: number };
    case 'release_items':
      return { ...id, subject_id: `subject-${number}` };
    // Unique, but several people have none.
    case 'subscribers':
      return { ...id, confirm_hash: number % 3 === 0 ? null : `hash-${number}` };
    case 'subscriber_erasures':
      return { email_hash: createHash('sha256').update(String(number)).digest('hex') };
    case 'newsletter_recipients':
      return { issue_id: draw(fc.uuid({ version: 7 })), subscriber_id: draw(fc.uuid({ version: 7 })) };
    // An import holds those that are open.
    case 'newsletter_issues':
      return { ...id, state: draw(fc.constantFrom('sent', 'cancelled')) };
    // A backup leaves out the secret that ends within a day.
    case 'webhooks':
      return { ...id, former_secret: '', former_until: null };
    default:
      return id;
  }
}

function storeFile(instance: Instance, seed: string): { path: string; bytes: number; sha256: string } {
  const content = `${seed} ${Object.keys(instance.files).length}`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = `2026/11/${sha256.slice(0, 32)}.webp`;
  instance.files[file] = content;
  return { path: file, bytes: Buffer.byteLength(content), sha256 };
}

function arbitraryValue(type: BusinessTable['columns'][string]['type']): fc.Arbitrary<Value> {
  switch (type) {
    case 'text':
      return arbitraryText;
    case 'integer':
      return fc.oneof(fc.integer(), fc.constantFrom(0, 2 ** 31 - 1, -(2 ** 31)));
    case 'boolean':
      return fc.boolean();
    case 'time':
      return arbitraryTime;
  }
}

/** Puts an instance into an app that has no content; secrets are encrypted as the product does. */
export async function writeInstance(app: App, instance: Instance): Promise<void> {
  for (const table of [...businessTables].reverse()) await delegate(app, table.name).deleteMany();
  for (const table of businessTables) {
    const data = instance.rows[table.name]!.map((row) => recordOf(app, table, row));
    for (const record of data) await delegate(app, table.name).create({ data: record });
  }
  for (const [name, content] of Object.entries(instance.files)) {
    await mkdir(nodePath.dirname(nodePath.join(app.env.uploadsDir, name)), { recursive: true });
    await writeFile(nodePath.join(app.env.uploadsDir, name), content);
  }
}

const isSecret = (key: Value | undefined) => definitionOf(key as SettingKey).secret === true;

function recordOf(app: App, table: BusinessTable, row: BackupRow): Record<string, unknown> {
  const entries = Object.entries(table.columns).map(([column, { type }]) => {
    const value = row[column]!;
    if (value === null) return [fieldOf(column), null];
    const isEncrypted =
      column === 'totp_secret' ||
      (table.name === 'webhooks' && column === 'secret' && value !== '') ||
      (table.name === 'settings' && column === 'value' && isSecret(row.key) && value !== '');
    if (isEncrypted) return [fieldOf(column), encryptSecret(String(value), app.env.authSecret)];
    return [fieldOf(column), type === 'time' ? new Date(String(value)) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Everything that an import may change: all rows of all tables, and every file below the uploads folder. */
export interface Content {
  rows: Record<string, unknown[]>;
  files: Record<string, string>;
}

const volatileTables: readonly TableName[] = ['login_throttle', 'audit_log', 'publish_runs', 'leases'];

export async function contentOf(app: App): Promise<Content> {
  const content: Content = { rows: {}, files: {} };
  for (const name of Object.keys(tableCatalogue) as TableName[]) {
    if (volatileTables.includes(name)) continue;
    const rows = await delegate(app, name).findMany();
    content.rows[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  for await (const { path: name, isFile } of app.mediaStore.list())
    content.files[name] = isFile
      ? await readFile(nodePath.join(app.env.uploadsDir, name), 'utf8')
      : 'not a file';
  return content;
}

interface AnyDelegate {
  findMany(): Promise<object[]>;
  create(query: { data: object }): Promise<unknown>;
  deleteMany(): Promise<unknown>;
}

function delegate(app: App, name: string): AnyDelegate {
  const { model } = tableCatalogue[name as TableName];
  return (app.db as unknown as Record<string, AnyDelegate>)[model]!;
}
