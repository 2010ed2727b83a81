import type { Dialect } from '../env.server.ts';
import type { Transaction } from './client.server.ts';

/**
 * Blocks writes of other transactions to the tables until this one ends; reads continue. Must be the first statement of
 * its transaction: a write transaction of SQLite locks the whole file from the start.
 */
export async function lockTables(
  tx: Transaction,
  dialect: Dialect,
  tables: readonly string[],
): Promise<void> {
  if (dialect === 'sqlite') return;
  const names = tables.map((table) => `"${table}"`).join(', ');
  await tx.$executeRawUnsafe(`LOCK TABLE ${names} IN EXCLUSIVE MODE`);
}
