import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import type { App } from '#app/app.ts';
import { readBackupState } from '#app/backup/write/runs.server.ts';
import { isSkewed, readClockSkew } from '#app/platform/database/health.server.ts';
import { codeMigrationTag } from '#app/platform/database/migrations.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { application } from '#app/platform/project.server.ts';
import { earliest } from '#app/platform/time/earliest.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import {
  shouldAlert,
  listPublishRuns,
  readPlannedChanges,
  readPublishingState,
} from '#app/publishing/trigger/status.server.ts';
import { countReleases } from '#app/releases/status.server.ts';

const RUNS_SHOWN = 15;

/** The state of the installation, for operators. */
export async function load({ app }: ScreenArguments) {
  const now = app.clock.now();
  const [publishing, planned, releases, runs, skewMs, search, storage, disk, backups] = await Promise.all([
    readPublishingState(app),
    readPlannedChanges(app),
    countReleases(app),
    listPublishRuns(app, RUNS_SHOWN),
    readClockSkew(app),
    readSearch(app),
    readStorage(app),
    readDisk(app),
    readBackupState(app),
  ]);
  return {
    publishing,
    planned,
    nextDueAt: earliest(publishing.nextDueAt, planned.nextDueAt, releases.nextDueAt),
    late: shouldAlert(publishing, now) || shouldAlert(planned, now),
    runs,
    clock: { skewMs, skewed: isSkewed(skewMs) },
    search,
    storage,
    disk,
    backups,
    versions: {
      application: `${application.name} ${application.version}`,
      migration: codeMigrationTag(),
      database: app.env.database.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      node: process.version,
    },
  };
}

async function readSearch(app: App) {
  const [published, waiting, failing] = await Promise.all([
    countPosts(app),
    app.db.searchOutbox.count(),
    app.db.searchOutbox.findFirst({
      where: { lastError: { not: '' } },
      orderBy: { attempts: 'desc' },
      select: { lastError: true, attempts: true },
    }),
  ]);
  const engine = app.env.search.kind === 'embedded' ? 'Embedded' : 'Typesense';
  return { engine, published, waiting, failing };
}

async function readStorage(app: App) {
  const media = await app.db.media.aggregate({ _count: true, _sum: { bytes: true } });
  const { database } = app.env;
  const databaseBytes = database.dialect === 'sqlite' ? await sizeOf(database.file) : null;
  return { mediaCount: media._count, mediaBytes: media._sum.bytes ?? 0, databaseBytes };
}

/** The free and total space of the disk with the uploads; null if the system does not report them. */
async function readDisk(app: App) {
  try {
    const { bavail, blocks, bsize } = await statfs(await nearestFolder(app.env.uploadsDir));
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    app.log.warn({ reason: messageOf(error) }, 'The free space of the disk could not be read');
    return null;
  }
}

// The nearest existing folder: the first upload creates the uploads folder.
async function nearestFolder(folder: string): Promise<string> {
  try {
    await stat(folder);
    return folder;
  } catch {
    return path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder));
  }
}

async function sizeOf(file: string): Promise<number | null> {
  const sizes = await Promise.all([file, `${file}-wal`].map((name) => stat(name).catch(() => null)));
  return sizes[0] ? sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0) : null;
}
