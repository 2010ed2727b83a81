import { secretSettingKeys, type SettingKey } from '#app/settings/catalogue.ts';
import { decryptSecret, encryptSecret } from '#app/settings/secrets.server.ts';
import type { Manifest } from './manifest.ts';
import type { BackupRow } from './rows.ts';

export type SecretPolicy = Manifest['secretPolicy'];

/** True for a setting whose value backups hide by default. */
export function isSecretSetting(key: unknown): boolean {
  return secretSettingKeys.includes(key as SettingKey);
}

/**
 * A row as a backup holds it. `redacted`: a secret setting loses its value; other encrypted values stay
 * encrypted and can be read with the same `AUTH_SECRET` only. `included`: plain values.
 * @throws AppError `not_configured` when a value cannot be decrypted.
 */
export function secretsForBackup(
  tableName: string,
  row: BackupRow,
  policy: SecretPolicy,
  authSecret: string | undefined,
): BackupRow {
  if (tableName === 'settings' && isSecretSetting(row.key) && row.value !== '')
    return policy === 'redacted'
      ? { key: row.key!, redacted: true, updated_at: row.updated_at! }
      : { ...row, value: decryptSecret(String(row.value), authSecret) };
  // The former secret ends within a day.
  if (tableName === 'webhooks' && row.secret !== '')
    return policy === 'redacted'
      ? redactedWebhook(row)
      : { ...row, secret: decryptSecret(String(row.secret), authSecret), ...noFormerSecret };
  if (tableName === 'users' && policy === 'included' && row.totp_secret !== null)
    return { ...row, totp_secret: decryptSecret(String(row.totp_secret), authSecret) };
  return row;
}

const noFormerSecret = { former_secret: '', former_until: null };

/** The columns in their order, with `redacted` in place of the secret. */
function redactedWebhook(row: BackupRow): BackupRow {
  const columns = Object.entries({ ...row, ...noFormerSecret });
  return Object.fromEntries(
    columns.map(([name, value]) => (name === 'secret' ? ['redacted', true] : [name, value])),
  ) as BackupRow;
}

/** How reports name the secret of a row. */
export function secretNameOf(tableName: string, row: BackupRow): string {
  return tableName === 'webhooks' ? `webhook ${String(row.name)}` : String(row.key);
}

/** A row of a backup as the database stores it: plain values are encrypted. */
export function encryptSecrets(
  tableName: string,
  row: BackupRow,
  policy: SecretPolicy,
  authSecret: string | undefined,
): BackupRow {
  if (!hasPlainSecret(tableName, row, policy)) return row;
  const column = secretColumns[tableName]!;
  return { ...row, [column]: encryptSecret(String(row[column]), authSecret) };
}

const secretColumns: Readonly<Record<string, string>> = {
  settings: 'value',
  users: 'totp_secret',
  webhooks: 'secret',
};

/** True for a row that an import cannot write without an `AUTH_SECRET`. */
export function hasPlainSecret(tableName: string, row: BackupRow, policy: SecretPolicy): boolean {
  if (policy !== 'included') return false;
  if (tableName === 'settings') return isSecretSetting(row.key) && row.value !== '' && !row.redacted;
  if (tableName === 'webhooks') return row.secret !== '';
  return tableName === 'users' && row.totp_secret !== null;
}
