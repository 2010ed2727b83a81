import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '#app/platform/env.server.ts';
import { codeOf } from '#app/platform/errors.ts';
import type { Database, Transaction } from './client.server.ts';

const ATTEMPTS = 8;

/**
 * Runs `work` in one transaction. Deadlocks and serialisation failures are retried with backoff, so `work` must have no
 * effect outside the database.
 * @param options.timeout milliseconds that the transaction may last, if a minute is too short
 * @throws whatever `work` throws; then nothing was written.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  options: { timeout?: number } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.$transaction(work, options);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(10 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** True when a row with the same unique value exists already (Prisma's P2002). */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === 'P2002';
}

// P2034: write conflict or deadlock. The others are PostgreSQL's codes for the same, which raw queries report.
function isRetryable(error: unknown): boolean {
  const { code, cause, meta } = error as {
    code?: unknown;
    cause?: { originalCode?: unknown };
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  const codes = [code, cause?.originalCode, meta?.driverAdapterError?.cause?.originalCode];
  return codes.some((value) => value === 'P2034' || value === '40001' || value === '40P01');
}

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
