import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { EVERY_PAGE, type RecordKeys } from '#app/platform/http/page-keys.ts';
import { readShared, type SharedReads } from '#app/platform/http/shared-reads.ts';
import { definitionOf, settingKeys, storageKeyOf, type SettingKey, type Settings } from './catalogue.ts';

type Reader = Pick<Database, 'setting'> | Pick<Transaction, 'setting'>;

/** All settings; the values of secrets are `''`. A missing or invalid row has its default. */
export async function readSettings(app: { db: Reader; recordKeys?: RecordKeys }): Promise<Settings> {
  app.recordKeys?.(EVERY_PAGE);
  const rows = await app.db.setting.findMany();
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  const entries = settingKeys.map((key) => [key, valueOf(key, stored.get(storageKeyOf(key)))]);
  const settings = Object.fromEntries(entries) as Settings;
  // The site's own language has no list apart from the main one.
  const { site_language: own, site_languages: others } = settings;
  return others.includes(own)
    ? { ...settings, site_languages: others.filter((tag) => tag !== own) }
    : settings;
}

/** One setting, by one indexed read. */
export async function readSetting<Key extends SettingKey>(
  app: { db: Reader; recordKeys?: RecordKeys },
  key: Key,
): Promise<Settings[Key]> {
  app.recordKeys?.(EVERY_PAGE);
  const row = await app.db.setting.findUnique({ where: { key: storageKeyOf(key) } });
  return valueOf(key, row?.value) as Settings[Key];
}

/** How many posts a page of a list shows. All lists share this read. */
export function readPageSize(app: {
  db: Reader;
  recordKeys?: RecordKeys;
  sharedReads?: SharedReads;
}): Promise<number> {
  return readShared(app, 'page size', (reader) => readSetting(reader, 'posts_per_page'));
}

/**
 * The stored texts as a form shows them, without secrets. `secretsSet` contains the names of the secrets that are set.
 */
export async function readSettingTexts(app: {
  db: Reader;
}): Promise<{ texts: Record<string, string>; secretsSet: SettingKey[] }> {
  const rows = await app.db.setting.findMany();
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  const open = settingKeys.filter((key) => !definitionOf(key).secret);
  const texts = open.map((key) => [key, stored.get(storageKeyOf(key)) ?? definitionOf(key).default]);
  const secretsSet = settingKeys.filter((key) => definitionOf(key).secret && stored.get(key));
  return { texts: Object.fromEntries(texts) as Record<string, string>, secretsSet };
}

// Every page reads all settings, and they hardly ever change.
const lastParsed = new Map<SettingKey, { stored: string | undefined; value: unknown }>();

function valueOf(key: SettingKey, stored: string | undefined): unknown {
  if (definitionOf(key).secret) return '';
  const last = lastParsed.get(key);
  if (last && last.stored === stored) return last.value;
  const value = parse(key, stored);
  lastParsed.set(key, { stored, value });
  return value;
}

function parse(key: SettingKey, stored: string | undefined): unknown {
  const definition = definitionOf(key);
  const parsed = definition.schema.safeParse(stored ?? definition.default);
  return parsed.success ? parsed.data : definition.schema.parse(definition.default);
}
