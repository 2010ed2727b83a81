import { optional, text, time } from './columns.ts';
import type { BusinessTable } from './table-lists.ts';

/** The columns of the audit log's file. It is beside a backup: no backup contains the log (contract, section 6). */
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

/** The path of the audit log's file beside a backup, which is a folder or an encrypted file. */
export function auditLogName(backup: string): string {
  const [, name, isEncrypted] = /^(.*?)(\.tar\.age)?$/.exec(backup)!;
  return `${name}.audit-log.jsonl.gz${isEncrypted ? '.age' : ''}`;
}
