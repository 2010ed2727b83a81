import { newId, type Clock } from '#app/platform/clock.ts';
import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { insertInSteps } from '#app/platform/database/insert-rows.server.ts';
import type { Clocked, Configured, Db, Timed } from '#app/platform/services.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import { anySpelling } from '#app/platform/text/schemas.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import type { AuditAction } from './actions.ts';

/** The actor of an audit entry. */
export interface By {
  /** Null for a command, the trigger, or a person who is not logged in. */
  userId: string | null;
  /** A name that is readable after the account is deleted: display name, email or command. */
  actor: string;
  /** The client's address; `''` on the host itself. */
  address: string;
}

/** A command on the host itself. */
export const byCommand: By = { userId: null, actor: 'Command', address: '' };

export interface AuditEntry {
  action: AuditAction;
  by: By;
  /** The subject as text: a title, a name, an address. */
  subject?: string;
  details?: string;
}

const TEXT_MAX = 1_000;

/** Writes audit entries. Call it in the transaction of the change: then both are committed or neither. */
export async function writeAudit(
  db: Pick<Transaction, 'auditLog'>,
  clock: Clock,
  ...entries: AuditEntry[]
): Promise<void> {
  if (entries.length === 0) return;
  const at = clock.now();
  await db.auditLog.createMany({ data: entries.map((entry) => ({ ...rowOf(clock, entry), at })) });
}

const auditColumns = {
  id: { type: 'text' },
  at: { type: 'time' },
  action: { type: 'text' },
  user_id: { type: 'text' },
  actor: { type: 'text' },
  address: { type: 'text' },
  subject: { type: 'text' },
  details: { type: 'text' },
} as const;

/** Writes hundreds of entries in several statements: a single one would block the event loop. */
export async function writeAuditInSteps(
  app: Clocked & Configured,
  tx: Transaction,
  entries: readonly AuditEntry[],
): Promise<void> {
  const at = app.clock.now().toISOString();
  const rows = function* () {
    for (const entry of entries) {
      const { userId, ...row } = rowOf(app.clock, entry);
      yield { ...row, user_id: userId, at };
    }
  };
  await insertInSteps(app, tx, 'audit_log', auditColumns, rows());
}

function rowOf(clock: Clock, { action, by, subject = '', details = '' }: AuditEntry) {
  return {
    id: newId(clock),
    action,
    userId: by.userId,
    actor: storable(by.actor),
    address: storable(by.address),
    subject: storable(subject),
    details: storable(details),
  };
}

/** An account as an actor. */
export type ByUser = By & { userId: string };

/** The actor of a logged-in request. */
export function byUser(user: { id: string; displayName: string }, address: string): ByUser {
  return { userId: user.id, actor: user.displayName, address };
}

/** A filter of the log. Without properties it matches all entries. */
export interface AuditFilter {
  actions?: readonly string[];
  userId?: string;
  /** A text in the actor, subject or details. */
  text?: string;
  /** Keys of settings: their changes match where `text` does. Without `text` they do not count. */
  orSettings?: readonly string[];
  /** Id of the entry after which the page begins. */
  after?: string;
}

/** A page of the log, newest first, and the id after which the next page begins. */
export async function listAudit(app: Db, filter: AuditFilter, pageSize: number) {
  const where: Prisma.AuditLogWhereInput = {
    ...(filter.actions && { action: { in: [...filter.actions] } }),
    ...(filter.userId && { userId: filter.userId }),
    ...(filter.text && {
      OR: [
        ...anySpelling(filter.text).flatMap((contains) =>
          (['actor', 'subject', 'details', 'address'] as const).map((column) => ({ [column]: { contains } })),
        ),
        ...(filter.orSettings ?? []).map((contains) => ({
          action: 'settings.changed',
          subject: { contains },
        })),
      ],
    }),
    // Keyset paging: ids rise with time, so the index finds a page at the same cost in a log of any length.
    ...(filter.after && { id: { lt: filter.after } }),
  };
  const rows = await app.db.auditLog.findMany({ where, orderBy: { id: 'desc' }, take: pageSize + 1 });
  const entries = rows.slice(0, pageSize);
  return { entries, next: rows.length > pageSize ? entries.at(-1)!.id : null };
}

/** Deletes entries that are older than the setting allows. @returns their number. */
export async function trimAudit(app: Timed): Promise<number> {
  const days = await readSetting(app, 'audit_keep_days');
  if (days === 0) return 0;
  const oldest = new Date(app.clock.now().getTime() - days * DAY_MS);
  const { count } = await app.db.auditLog.deleteMany({ where: { at: { lt: oldest } } });
  return count;
}

// Anybody may have sent the text: it may be too long, or contain characters that the database refuses.
function storable(text: string): string {
  return cutText(text.toWellFormed().replaceAll('\0', ''), TEXT_MAX);
}
