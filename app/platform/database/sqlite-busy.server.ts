import { setTimeout as sleep } from 'node:timers/promises';

/** How long a write waits for another process before it fails. */
const BUSY_DEADLINE_MS = 10_000;

/**
 * Runs `operation` again, after a short random pause, while SQLite answers that the file is busy. The pauses
 * leave the event loop free, which SQLite's own busy handler does not.
 * @throws what SQLite answered last, after `deadlineMs`.
 */
export async function whileBusy<T>(
  operation: () => T | Promise<T>,
  deadlineMs = BUSY_DEADLINE_MS,
): Promise<T> {
  const started = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > deadlineMs) throw error;
      await sleep(1 + Math.random() * Math.min(50, 2 ** attempt));
    }
  }
}

/** True for SQLite’s answers that another process has the file. */
export function isBusy(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { kind?: unknown; originalCode?: unknown } };
  return (
    (typeof code === 'string' && code.startsWith('SQLITE_BUSY')) ||
    (typeof cause?.originalCode === 'string' && cause.originalCode.startsWith('SQLITE_BUSY'))
  );
}
