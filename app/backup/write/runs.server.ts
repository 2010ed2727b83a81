import { newId } from '#app/platform/clock.ts';
import type { Timed } from '#app/platform/services.ts';

/** The state of `backup:run` for readiness, metrics and the system screen. */
export interface BackupState {
  lastAt: Date | null;
  lastProvenAt: Date | null;
  /** The folder or `s3://` address of the last backup. */
  lastBackup: string | null;
  /** The time by which the next backup must exist; null without a schedule. */
  nextExpectedAt: Date | null;
  overdue: boolean;
}

const KEPT_RUNS = 1_000;

/** The state after the last `backup:run`. `overdue` is by the app's clock. */
export async function readBackupState(app: Timed): Promise<BackupState> {
  const newest = { orderBy: { finishedAt: 'desc' } } as const;
  const [last, proven] = await Promise.all([
    app.db.backupRun.findFirst(newest),
    app.db.backupRun.findFirst({ where: { proven: true }, ...newest }),
  ]);
  const nextExpectedAt = last?.nextExpectedAt ?? null;
  return {
    lastAt: last?.finishedAt ?? null,
    lastProvenAt: proven?.finishedAt ?? null,
    lastBackup: last?.backup ?? null,
    nextExpectedAt,
    overdue: nextExpectedAt !== null && app.clock.now() > nextExpectedAt,
  };
}

/**
 * Records a finished run, and forgets all but the newest 1,000 and the proven ones.
 * @param run.seconds may have a fraction, which is rounded
 */
export async function recordBackupRun(
  app: Timed,
  run: { backup: string; bytes: number; seconds: number; proven: boolean; nextExpectedAt: Date | null },
): Promise<void> {
  const data = { ...run, bytes: BigInt(run.bytes), seconds: Math.round(run.seconds) };
  await app.db.backupRun.create({ data: { id: newId(app.clock), finishedAt: app.clock.now(), ...data } });
  const oldest = await app.db.backupRun.findMany({
    orderBy: { finishedAt: 'desc' },
    skip: KEPT_RUNS,
    take: 1,
    select: { finishedAt: true },
  });
  if (oldest[0])
    await app.db.backupRun.deleteMany({
      where: { finishedAt: { lte: oldest[0].finishedAt }, proven: false },
    });
}
