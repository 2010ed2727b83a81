import { setTimeout as sleep } from 'node:timers/promises';
import type { Stored } from '#app/media/store/media-store.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { takeUploadsLock } from './uploads-lock.server.ts';

const HOUR_MS = 60 * 60 * 1000;
const BATCH_SIZE = 100;
/** How long a trigger may take to remove a batch. */
const CLAIM_MS = 10 * 60 * 1000;
/** Longer than any removal of one file takes, with all attempts. */
const REMOVAL_MS = 2 * 60 * 1000;
const WAIT_MS = 250;
const WAITS = 40;

type SweepApp = Timed & Configured & Stored;

/** Records files that nothing refers to any more; a trigger removes them an hour later, when no page shows them. */
export async function removeLater(
  tx: Transaction,
  paths: string[],
  now: Date,
  { afterMs = HOUR_MS } = {},
): Promise<void> {
  const removeAfter = new Date(now.getTime() + afterMs);
  for (const path of paths)
    await tx.mediaRemoval.upsert({ where: { path }, create: { path, removeAfter }, update: { removeAfter } });
}

/**
 * Records files before they are stored, so that a trigger removes them if their row is never written. Waits while a
 * trigger removes a file of the same path.
 * @throws AppError `unavailable` when that takes longer than 10 seconds
 */
export async function reservePaths(app: Timed, paths: string[]): Promise<void> {
  for (let wait = 0; wait < WAITS; wait += 1) {
    const reserved = await inTransaction(app.db, async (tx) => {
      const now = app.clock.now();
      await removeLater(tx, paths, now);
      // The write above has locked the rows.
      const path = { in: paths };
      const claimed = await tx.mediaRemoval.count({ where: { path, claimedUntil: { gt: now } } });
      if (claimed === 0) await tx.mediaRemoval.updateMany({ where: { path }, data: { claimedUntil: null } });
      return claimed === 0;
    });
    if (reserved) return;
    await sleep(WAIT_MS);
  }
  throw new AppError('unavailable', 'The same file is being removed. Try again.', { retryAfter: 10 });
}

/**
 * Turns reservations into stored files, in the transaction that writes their row.
 * @returns false when somebody else took them: another upload of the same file, a trigger an hour later, an import
 */
export async function keepReserved(tx: Transaction, paths: string[]): Promise<boolean> {
  const { count } = await tx.mediaRemoval.deleteMany({ where: { path: { in: paths }, claimedUntil: null } });
  return count === paths.length;
}

/**
 * Removes files whose hour is over, and incomplete files of killed uploads. Every trigger calls it.
 * @returns how many files are gone.
 */
export async function sweepRemovedMedia(app: SweepApp): Promise<{ removedFileCount: number }> {
  const before = new Date(app.clock.now().getTime() - HOUR_MS);
  let removedFileCount = await app.mediaStore.removeUnfinished(before);
  const due = { removeAfter: { lte: app.clock.now() } };
  if (!(await app.db.mediaRemoval.findFirst({ where: due }))) return { removedFileCount };
  // An import decides which files stay.
  const lock = await takeUploadsLock(app, 'shared', 0);
  if (!lock) return { removedFileCount };
  try {
    for (;;) {
      const claim = await claimDue(app);
      if (!claim) return { removedFileCount };
      removedFileCount += await removeClaimed(app, claim);
    }
  } finally {
    await lock.release();
  }
}

interface Claim {
  paths: string[];
  until: Date;
}

// Files are removed outside a transaction: an object store may take its time, and SQLite has one writer.
async function claimDue(app: SweepApp): Promise<Claim | null> {
  return inTransaction(app.db, async (tx) => {
    const now = app.clock.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const where = {
      removeAfter: { lte: now },
      OR: [{ claimedUntil: null }, { claimedUntil: { lte: now } }],
    };
    const due = await tx.mediaRemoval.findMany({
      where,
      orderBy: { removeAfter: 'asc' },
      select: { path: true },
      take: BATCH_SIZE,
    });
    const claimed = await tx.mediaRemoval.updateManyAndReturn({
      where: { ...where, path: { in: due.map(({ path }) => path) } },
      data: { claimedUntil: until },
    });
    return due.length === 0 ? null : { paths: claimed.map(({ path }) => path), until };
  });
}

async function removeClaimed(app: SweepApp, { paths, until }: Claim): Promise<number> {
  let removed = 0;
  for (const path of paths) {
    // An upload may store this file again once the claim is over.
    if (app.clock.now().getTime() > until.getTime() - REMOVAL_MS) return removed;
    if (!(await isNamed(app.db, path))) {
      await app.mediaStore.delete(path);
      removed += 1;
    }
    await app.db.mediaRemoval.deleteMany({ where: { path, claimedUntil: until } });
  }
  return removed;
}

async function isNamed(db: Pick<Database, 'media'>, path: string): Promise<boolean> {
  const where = { OR: [{ path }, { variants: { contains: JSON.stringify(path) } }] };
  return (await db.media.findFirst({ where, select: { id: true } })) !== null;
}
