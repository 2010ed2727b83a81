import { optional, text, time } from './columns.ts';
import type { BusinessTable } from './table-lists.ts';

/** The lines of the file that holds the audit log. It lies beside a backup: none is in one (contract, section 6). */
export const auditLogTable: BusinessTable = {
  kind: 'business',
  name: 'audit_log',
  model: 'auditLog',
  key: ['id'],
  columns: {
    id: text,
    at: time,
    user_id: optional(text),
    actor: text,
    action: text,
    subject: text,
    details: text,
    address: text,
  },
};

/** The name of the audit log that lies beside a backup, a folder or an encrypted file. */
export function auditLogName(backup: string): string {
  const [, name, isEncrypted] = /^(.*?)(\.tar\.age)?$/.exec(backup)!;
  return `${name}.audit-log.jsonl.gz${isEncrypted ? '.age' : ''}`;
}
