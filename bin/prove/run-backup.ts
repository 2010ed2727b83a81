import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from '#app/app.ts';
import { auditLogName } from '#app/backup/format/manifest.ts';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { encryptFile, encryptFolder, type BackupKey } from '#app/backup/write/encrypt.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { writingIn } from '#app/backup/write/folder-writer.server.ts';
import { BackupPlace, backupName } from '#app/backup/write/place.server.ts';
import { nextExpectedAt, selectRemovable, type KeepRules } from '#app/backup/write/retention.ts';
import { recordBackupRun, readBackupState } from '#app/backup/write/runs.server.ts';
import { isInMediaFolder } from '#app/media/library/is-in-media-folder.server.ts';
import { createMediaStore } from '#app/media/store/create.server.ts';
import { systemClock } from '#app/platform/clock.ts';
import { codeMigrationTag } from '#app/platform/database/migrations.server.ts';
import { AppError, asFullDisk } from '#app/platform/errors.ts';
import { makeFolder } from '#app/platform/files/disk.server.ts';
import { addressOf, type MediaTarget } from '#app/platform/media-target.server.ts';
import { application } from '#app/platform/project.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { proveBackup, requireBuild } from './prove-backup.ts';

const SCRATCH_PREFIX = '.backup-run-';
/** A killed run leaves its folder behind. A later run removes a folder of this age. */
const ABANDONED_MS = DAY_MS;

export interface RunInput {
  /** A folder or a bucket. */
  target: MediaTarget;
  keep: KeepRules;
  prove: boolean;
  /** Absent: the backup is not encrypted. */
  key?: BackupKey;
  /** Stores the audit log beside the backup. */
  auditLog: boolean;
  onProgress?: (progress: { step: string; done: number; total: number }) => void;
  onWarning?: (warning: string) => void;
}

/** What `backup:run` prints (contract, section 11). */
export interface BackupRun {
  /** The absolute folder or file, or the `s3://` address. */
  backup: string;
  verified: boolean;
  /** Null if no proof was requested. */
  proven: boolean | null;
  removed: string[];
  bytes: number;
  seconds: number;
}

/**
 * Makes a backup: exports, verifies, proves on request, stores, reads back, and removes old backups. If the proof
 * fails, it stores the backup and removes nothing.
 * @returns the command's result, and the problems that the proof found
 * @throws AppError `invalid_input` for a folder below the uploads; `unavailable` when a disk is full
 */
export async function runBackup(
  app: App,
  input: RunInput,
): Promise<{ result: BackupRun; problems: string[] }> {
  const { target, onProgress } = input;
  if (input.prove) requireBuild();
  const startedAt = performance.now();
  const createdAt = app.clock.now();
  if (target.kind === 'file' && (await isInMediaFolder(app.mediaStore, target.folder)))
    throw new AppError(
      'invalid_input',
      'A backup below the uploads folder would be public. Name another folder.',
    );
  const scratch = await scratchFolder(target);
  const store = createMediaStore(target, { isPrivate: true });
  try {
    const folder = path.join(scratch, 'backup');
    // The audit log is beside the folder, so that `verifyBackup` and `proveBackup` find it.
    const { warnings, auditLog } = await exportBackup(app, {
      outputDir: folder,
      auditLog: input.auditLog,
      onProgress,
    });
    for (const warning of warnings) input.onWarning?.(warning);
    await verifyBackup(app, { inputDir: folder, onProgress });
    const proof = input.prove
      ? await proveBackup({ inputDir: folder, onProgress, onWarning: input.onWarning })
      : null;
    const place = new BackupPlace(store);
    const name = `${backupName(createdAt)}${input.key ? '.tar.age' : ''}`;
    let bytes: number;
    if (input.key) {
      const encrypted = path.join(scratch, 'backup.tar.age');
      await encryptFolder(folder, input.key, encrypted);
      bytes = await place.uploadFile(encrypted, name);
    } else bytes = await place.uploadFolder(folder, name, createdAt);
    if (auditLog) await place.uploadFile(await encryptIfKeyed(auditLog, input.key), auditLogName(name));
    const proven = proof && proof.proven;
    await place.writeStatus(name, {
      createdAt: createdAt.toISOString(),
      verified: true,
      proven,
      version: application.version,
      migrationTag: codeMigrationTag(),
    });
    const removed = proven === false ? [] : await removeOld(place, createdAt, input.keep);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const backup = nameAt(target, name);
    await recordBackupRun(app, {
      backup,
      bytes,
      seconds,
      proven: proven === true,
      nextExpectedAt: await nextBackupAt(app, input.keep),
    });
    const paths = removed.map((each) => nameAt(target, each));
    return {
      result: { backup, verified: true, proven, removed: paths, bytes, seconds },
      problems: proof?.problems ?? [],
    };
  } catch (error) {
    throw asFullDisk(error, path.dirname(scratch));
  } finally {
    store.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function encryptIfKeyed(file: string, key: BackupKey | undefined): Promise<string> {
  if (!key) return file;
  await encryptFile(file, key, `${file}.age`);
  return `${file}.age`;
}

/** A run without keep rules is a manual backup: it does not change the schedule that readiness checks. */
async function nextBackupAt(app: App, keep: KeepRules): Promise<Date | null> {
  const isManual = Object.values(keep).every((count) => count === undefined);
  return isManual ? (await readBackupState(app)).nextExpectedAt : nextExpectedAt(app.clock.now(), keep);
}

async function removeOld(place: BackupPlace, now: Date, keep: KeepRules): Promise<string[]> {
  const { backups, unfinished } = await place.list(now);
  const old = selectRemovable(backups, keep).map(({ name }) => name);
  // Without a keep rule nothing is removed, not even unfinished backups.
  const removed = nextExpectedAt(now, keep) === null ? [] : [...old, ...unfinished];
  for (const name of removed) await place.remove(name);
  return removed;
}

// In the target folder, whose disk has room for a backup; for a bucket, in the folder for temporary files.
async function scratchFolder(target: MediaTarget): Promise<string> {
  if (target.kind === 's3') return mkdtemp(path.join(tmpdir(), 'dateline-backup-'));
  await makeFolder(target.folder, 0o700);
  await removeAbandoned(target.folder);
  return writingIn(target.folder, () => mkdtemp(path.join(target.folder, SCRATCH_PREFIX)));
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(SCRATCH_PREFIX)) continue;
    const stats = await stat(path.join(folder, name)).catch(() => null);
    if (stats && systemClock.now().getTime() - stats.mtimeMs > ABANDONED_MS)
      await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function nameAt(target: MediaTarget, name: string): string {
  return target.kind === 'file' ? path.join(target.folder, name) : `${addressOf(target)}/${name}`;
}
