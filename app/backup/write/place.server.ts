import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {
  auditLogName,
  manifestFile,
  manifestSchema,
  mediaFolder,
  type Manifest,
} from '#app/backup/format/manifest.ts';
import { contentOfBytes, contentOfFile, hashStored, readSmall } from '#app/media/store/content.server.ts';
import { createMediaStore } from '#app/media/store/create.server.ts';
import { FILES_AT_ONCE, type MediaStore, type StoredFacts } from '#app/media/store/media-store.ts';
import { AppError, invalidInput } from '#app/platform/errors.ts';
import { inParallel } from '#app/platform/jobs/concurrency.ts';
import { parseJson } from '#app/platform/json.ts';
import type { MediaTarget } from '#app/platform/media-target.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { hashFile } from './folder-writer.server.ts';
import type { StoredBackup } from './retention.ts';

/** The status file beside each backup; written last, so a backup without it is incomplete. */
const STATUS_SUFFIX = '.status.json';
const STATUS_MAX = 10_000;
/** Enough for half a million media files; a larger manifest is not compared, and all files are transferred. */
const MANIFEST_MAX = 100_000_000;
const namePattern = /^dateline-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(\.tar\.age)?$/;
/** A younger backup may still be in progress. */
const UNFINISHED_MS = DAY_MS;

const statusSchema = z.object({
  createdAt: z.iso.datetime(),
  verified: z.boolean(),
  proven: z.boolean().nullable(),
  version: z.string().max(100).optional(),
  migrationTag: z.string().max(200).optional(),
});

/** The content of the status file. */
export type BackupStatus = z.infer<typeof statusSchema>;

/** The name of a backup that was made at an instant. */
export function backupName(at: Date): string {
  return `dateline-${at.toISOString().replace(/[:.]/g, '-')}`;
}

/** Whether this is the name of a backup, encrypted or not. */
export const isBackupName = (name: string) => namePattern.test(name);

/** What `backup:list` says of a backup (contract, section 15). Null: not known without opening it. */
export interface ListedBackup {
  name: string;
  createdAt: string;
  version: string | null;
  migrationTag: string | null;
  encrypted: boolean;
  proven: boolean;
  bytes: number;
}

/** A folder or bucket that `backup:run` fills. Touches nothing but what has a backup's name. */
export class BackupPlace {
  private readonly store: MediaStore;

  constructor(store: MediaStore) {
    this.store = store;
  }

  /**
   * Stores the files of a folder under a backup's name, and reads each one back. Transfers only media files that the
   * newest backup here lacks.
   * @returns bytes
   */
  async uploadFolder(source: string, name: string, now: Date): Promise<number> {
    const mediaByHash = await this.mediaOfNewest(now);
    let bytes = 0;
    await inParallel(await filesBelow(source), FILES_AT_ONCE, async (file) => {
      const from = path.join(source, file);
      const facts = await hashFile(from);
      const to = `${name}/${file}`;
      bytes += facts.bytes;
      const same = file.startsWith(`${mediaFolder}/`) ? mediaByHash.get(facts.sha256) : undefined;
      if (same !== undefined && (await this.copyVerified(same, to, facts))) return;
      await this.putChecked(from, to, facts);
    });
    return bytes;
  }

  /** Stores a file under a name, and reads it back. @returns bytes */
  async uploadFile(from: string, name: string): Promise<number> {
    const facts = await hashFile(from);
    await this.putChecked(from, name, facts);
    return facts.bytes;
  }

  private async putChecked(from: string, to: string, expected: Required<StoredFacts>): Promise<void> {
    await this.store.put(to, contentOfFile(from, expected));
    if ((await hashStored(this.store, to))?.sha256 !== expected.sha256)
      throw new AppError('conflict', `${to} came back from ${this.store.address} with another content.`);
  }

  // A store that records hashes has checked the copy. A copy in a folder is read again.
  private async copyVerified(from: string, to: string, expected: Required<StoredFacts>): Promise<boolean> {
    if (!(await this.store.copy(from, to))) return false;
    const facts = await this.store.head(to);
    const sha256 = facts?.sha256 ?? (await hashStored(this.store, to))?.sha256;
    return facts?.bytes === expected.bytes && sha256 === expected.sha256;
  }

  /** SHA-256 → path in this place, of the newest backup that is a folder. */
  private async mediaOfNewest(now: Date): Promise<Map<string, string>> {
    const folders = (await this.list(now)).backups.filter(({ name }) => !name.endsWith('.age'));
    const newest = folders.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
    if (!newest) return new Map();
    const manifest = await this.manifestOf(newest.name);
    if (!manifest) return new Map();
    return new Map(
      manifest.media.map(({ path: file, sha256 }) => [sha256, `${newest.name}/${mediaFolder}/${file}`]),
    );
  }

  async writeStatus(name: string, status: BackupStatus): Promise<void> {
    await this.store.put(name + STATUS_SUFFIX, contentOfBytes(Buffer.from(`${JSON.stringify(status)}\n`)));
  }

  /** Complete backups, and the names of incomplete ones that were begun more than a day ago. */
  async list(now: Date): Promise<{ backups: StoredBackup[]; unfinished: string[] }> {
    const names = new Set<string>();
    const backups: StoredBackup[] = [];
    const finished = new Set<string>();
    for await (const { path: file } of this.store.list('dateline-')) {
      const name = file.split('/')[0]!;
      if (name.endsWith(STATUS_SUFFIX)) {
        const backup = await this.readStatus(name.slice(0, -STATUS_SUFFIX.length));
        if (!backup) continue;
        backups.push(backup);
        finished.add(backup.name);
      } else if (namePattern.test(name)) names.add(name);
    }
    const unfinished = [...names].filter(
      (name) => !finished.has(name) && now.getTime() - timeOf(name) > UNFINISHED_MS,
    );
    return { backups: backups.filter(({ name }) => names.has(name)), unfinished };
  }

  /** Every complete backup, newest first, also those that another command or person has put here. */
  async describe(): Promise<ListedBackup[]> {
    const bytes = new Map<string, number>();
    const files = new Set<string>();
    for await (const { path: file, bytes: size } of this.store.list()) {
      const name = file.split('/')[0]!;
      bytes.set(name, (bytes.get(name) ?? 0) + size);
      if (name === file || file === `${name}/${manifestFile}`) files.add(file);
    }
    const backups: ListedBackup[] = [];
    for (const file of files) {
      const name = file.split('/')[0]!;
      const isFolder = file !== name;
      if (!isFolder && !/\.tar(\.age)?$/.test(name)) continue;
      const status = await this.statusOf(name);
      const manifest = isFolder ? await this.manifestOf(name) : null;
      const createdAt = status?.createdAt ?? manifest?.createdAt;
      const fromName = namePattern.test(name) ? new Date(timeOf(name)).toISOString() : undefined;
      // A folder that is not finished, or a file that is no backup.
      if (createdAt === undefined && (isFolder || fromName === undefined)) continue;
      backups.push({
        name,
        createdAt: createdAt ?? fromName!,
        version: manifest?.application.version ?? status?.version ?? null,
        migrationTag: manifest?.migrationTag ?? status?.migrationTag ?? null,
        encrypted: name.endsWith('.age'),
        proven: status?.proven === true,
        bytes: bytes.get(name)!,
      });
    }
    return backups.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  }

  private async manifestOf(name: string): Promise<Manifest | null> {
    const text = await readSmall(this.store, `${name}/${manifestFile}`, MANIFEST_MAX);
    const manifest = manifestSchema.safeParse(parseJson(text?.toString('utf8') ?? ''));
    return manifest.success ? manifest.data : null;
  }

  private async statusOf(name: string): Promise<BackupStatus | null> {
    const text = await readSmall(this.store, name + STATUS_SUFFIX, STATUS_MAX);
    const status = statusSchema.safeParse(parseJson(text?.toString('utf8') ?? ''));
    return status.success ? status.data : null;
  }

  /** Removes the status first: a killed removal leaves an unfinished backup, which is removed a day later. */
  async remove(name: string): Promise<void> {
    await this.store.delete(name + STATUS_SUFFIX);
    await this.store.delete(auditLogName(name));
    const files: string[] = [];
    for await (const { path: file } of this.store.list(name))
      if (file === name || file.startsWith(`${name}/`)) files.push(file);
    await inParallel(files, FILES_AT_ONCE, (file) => this.store.delete(file));
  }

  private async readStatus(name: string): Promise<StoredBackup | null> {
    if (!namePattern.test(name)) return null;
    const status = await this.statusOf(name);
    // Not our format: the backup is kept.
    if (!status) return null;
    const { createdAt, proven } = status;
    return { name, createdAt: new Date(createdAt), proven: proven === true };
  }
}

function timeOf(name: string): number {
  const [, day, hour, minute, second, milliseconds] = namePattern.exec(name)!;
  return Date.parse(`${day}T${hour}:${minute}:${second}.${milliseconds}Z`);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}

/**
 * The backups in a folder or bucket, newest first.
 * @throws AppError `invalid_input` for a folder that does not exist
 */
export async function listBackups(target: MediaTarget): Promise<ListedBackup[]> {
  if (target.kind === 'file') {
    const stats = await stat(target.folder).catch(() => null);
    if (!stats?.isDirectory()) throw invalidInput(`There is no folder ${target.folder}.`);
  }
  const store = createMediaStore(target, { isPrivate: true });
  try {
    return await new BackupPlace(store).describe();
  } finally {
    store.close();
  }
}
