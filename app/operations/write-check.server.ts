import { randomBytes } from 'node:crypto';
import { isWriteRefusal } from '#app/platform/database/failure.server.ts';
import type { Timed } from '#app/platform/services.ts';

/** How long the result of a trial write is valid. */
const TRIAL_EVERY_MS = 10_000;
/** More than the free space in the last page of a file, so that the trial needs new disk space. */
const TRIAL_BYTES = 192 * 1024;
const TRIAL_ROW = 'write-check';

/** Whether the database accepts writes, for readiness. */
export interface WriteCheck {
  /** Must be called for every failed statement. */
  noteFailure(error: unknown): void;
  /**
   * False from the first write that the database refused (disk full, read-only) until a trial write succeeds. Costs
   * nothing as long as no write was refused. Otherwise it makes a trial write at most once every ten seconds, however
   * often it is called.
   */
  isWritable(): Promise<boolean>;
}

/** @param monotonic milliseconds from any beginning; the wall clock may jump */
export function createWriteCheck(app: Timed, monotonic = () => performance.now()): WriteCheck {
  let refused = false;
  let triedAt = -Infinity;
  let trial: Promise<boolean> | undefined;

  async function tryWriting(): Promise<boolean> {
    try {
      await writeAndRemove(app);
      return true;
    } catch {
      return false;
    }
  }

  return {
    noteFailure(error) {
      // Until the first trial, the refusal counts as its result.
      if (!refused && isWriteRefusal(error)) [refused, triedAt] = [true, monotonic()];
    },
    async isWritable() {
      if (!refused) return true;
      if (!trial && monotonic() - triedAt >= TRIAL_EVERY_MS) {
        trial = tryWriting().finally(() => {
          trial = undefined;
          triedAt = monotonic();
        });
        refused = !(await trial);
      } else if (trial) await trial;
      return !refused;
    },
  };
}

// Committed, not rolled back: SQLite allocates disk space only at the commit.
async function writeAndRemove({ db, clock }: Timed): Promise<void> {
  const row = {
    holder: TRIAL_ROW,
    expiresAt: clock.now(),
    // Random, so that PostgreSQL cannot compress it.
    details: randomBytes((TRIAL_BYTES * 3) / 4).toString('base64'),
  };
  const where = { name: TRIAL_ROW };
  await db.lease.upsert({ where, create: { ...where, ...row }, update: row });
  await db.lease.deleteMany({ where });
}
