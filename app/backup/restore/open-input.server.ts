import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { auditLogName, manifestFile } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { isBackupName } from '#app/backup/write/place.server.ts';
import { isInMediaFolder } from '#app/media/library/is-in-media-folder.server.ts';
import { readStored } from '#app/media/store/content.server.ts';
import { createMediaStore } from '#app/media/store/create.server.ts';
import { FILES_AT_ONCE, type MediaStore } from '#app/media/store/media-store.ts';
import { AppError, isAppError, messageOf, invalidInput } from '#app/platform/errors.ts';
import { chunksOfWeb } from '#app/platform/files/chunks.ts';
import { inParallel } from '#app/platform/jobs/concurrency.ts';
import { mediaTarget, type S3Credentials } from '#app/platform/media-target.server.ts';
import { nameOne } from './read-manifest.server.ts';

/** What `--input` of `backup:import` and `backup:verify` names, and what opens it. */
export interface BackupInput {
  /** A folder, a `.tar` or `.tar.age` file, or an `s3://` address of one of these. */
  input: string;
  /** The content of an age identity file. */
  identity?: string;
  /** Of a backup that a passphrase opens. */
  passphrase?: string;
  s3: S3Credentials;
  /** The instance's own media. */
  mediaStore: MediaStore;
  onProgress?: ReportProgress;
}

/** Decrypts a stream of bytes. */
type Decrypt = (sealed: Readable) => Promise<Readable>;

const IDENTITY_MAX = 100_000;
const archiveName = /\.tar(\.age)?$/;

/**
 * Runs `work` on the folder of a backup. An archive is opened, and a bucket's backup copied, into a folder for temporary
 * files that only this user can read and that is removed afterwards.
 * @throws AppError `invalid_input` for what is no backup, or what the identity or passphrase does not open
 */
export async function withBackupFolder<T extends { inputDir: string }>(
  { input, identity, passphrase, s3, mediaStore, onProgress = () => {} }: BackupInput,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const isBucket = input.startsWith('s3:');
  const isArchive = archiveName.test(input.split('?')[0]!);
  const stats = isBucket ? null : await stat(input).catch(() => null);
  if (!isBucket && !(isArchive && stats?.isFile())) return work(input);
  if (!isBucket && (await isInMediaFolder(mediaStore, path.resolve(input))))
    throw invalidInput('The backup is in the uploads folder, which an import replaces. Move it.');
  const decrypt = await decrypterFor({ input, identity, passphrase });
  const scratch = await mkdtemp(path.join(tmpdir(), 'dateline-restore-'));
  try {
    const folder = path.join(scratch, 'backup');
    await mkdir(folder, { mode: 0o700 });
    if (isBucket) await fetchBackup(input, { folder, s3, decrypt, onProgress });
    else {
      onProgress({ step: 'Opening the archive', done: 0, total: 1 });
      await extract(createReadStream(input), decrypt, folder, input);
      const log = auditLogName(input);
      if (await stat(log).catch(() => null)) await saveAuditLog(createReadStream(log), decrypt, folder);
    }
    const opened = await folderOfManifest(folder);
    const result = await work(opened);
    return { ...result, inputDir: isBucket ? input.split('?')[0]! : path.resolve(input) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Reads an age identity file: lines `AGE-SECRET-KEY-1…`, and comments.
 * @throws AppError `invalid_input`
 */
export async function readIdentity(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw invalidInput(`--identity cannot be read: ${messageOf(error)}`);
  });
  if (text.length <= IDENTITY_MAX && identitiesIn(text).length > 0) return text;
  throw invalidInput('--identity must name a file of age-keygen, with a line AGE-SECRET-KEY-1…');
}

function identitiesIn(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => /^AGE-SECRET-KEY-/.test(line));
}

/** Undefined for a backup that is not encrypted. @throws AppError `invalid_input` without what opens it */
async function decrypterFor({
  input,
  identity,
  passphrase,
}: Pick<BackupInput, 'input' | 'identity' | 'passphrase'>): Promise<Decrypt | undefined> {
  if (!input.split('?')[0]!.endsWith('.age')) return undefined;
  if (identity === undefined && passphrase === undefined)
    throw invalidInput(
      `${input} is encrypted. Name what opens it: --identity <file> or --passphrase-file <file>`,
    );
  const { Decrypter } = await import('age-encryption');
  return async (sealed) => {
    const decrypter = new Decrypter();
    try {
      for (const key of identitiesIn(identity ?? '')) decrypter.addIdentity(key);
      if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
      const plain = await decrypter.decrypt(
        Readable.toWeb(sealed) as ReadableStream<Uint8Array<ArrayBuffer>>,
      );
      return Readable.from(chunksOfWeb(plain));
    } catch (error) {
      throw invalidInput(
        `${input} is not opened by this ${identity ? 'identity' : 'passphrase'}: ${messageOf(error)}`,
      );
    }
  };
}

/** Unpacks an archive into an empty folder. tar refuses names that lead out of it; a backup's checks refuse links. */
async function extract(
  packed: Readable,
  decrypt: Decrypt | undefined,
  folder: string,
  name: string,
): Promise<void> {
  const plain = decrypt ? await decrypt(packed) : packed;
  const tar = spawn('tar', ['-x', '-o', '-C', folder], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  tar.stderr.on('data', (chunk) => (complaint = `${complaint}${String(chunk)}`.slice(0, 500)));
  const ended = (once(tar, 'close') as Promise<[number | null]>).then(([exit]) => exit);
  const failed = once(tar, 'error').then(([error]) => {
    throw new AppError('unavailable', `tar could not be started: ${messageOf(error)}`);
  });
  const fed = pipeline(plain, tar.stdin).catch((error: NodeJS.ErrnoException) => {
    // tar has ended: its complaint says why.
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      throw isAppError(error)
        ? error
        : invalidInput(`${name} is damaged, or not a backup: ${messageOf(error)}`);
  });
  const code = await Promise.race([Promise.all([fed, ended]).then(([, exit]) => exit), failed]);
  if (code !== 0) throw invalidInput(`${name} is not a readable archive: ${complaint.trim().split('\n')[0]}`);
}

async function saveAuditLog(packed: Readable, decrypt: Decrypt | undefined, folder: string): Promise<void> {
  const plain = decrypt ? await decrypt(packed) : packed;
  await pipeline(plain, createWriteStream(auditLogName(folder), { mode: 0o600 }));
}

/** An archive holds a backup's files, or the folder of one. */
async function folderOfManifest(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries;
  const isWrapped = entries.length === 1 && only!.isDirectory();
  return isWrapped ? path.join(folder, only!.name) : folder;
}

interface Fetching {
  folder: string;
  s3: S3Credentials;
  decrypt: Decrypt | undefined;
  onProgress: ReportProgress;
}

/** Copies a backup from a bucket, whose address names the backup's folder or archive. */
async function fetchBackup(address: string, { folder, s3, decrypt, onProgress }: Fetching): Promise<void> {
  const target = mediaTarget(address, s3, '--input');
  if (target.kind !== 's3') throw invalidInput('--input takes a folder, a file or an s3:// address');
  const segments = target.prefix.split('/').filter(Boolean);
  const name = segments.at(-1);
  if (name === undefined)
    throw invalidInput(`${address} names a bucket. Name one of the backups in it: backup:list`);
  const above = segments.slice(0, -1).map((segment) => `${segment}/`);
  const store = createMediaStore({ ...target, prefix: above.join('') });
  try {
    const open = (file: string) => Readable.from(readStored(store, file));
    if (archiveName.test(name)) {
      if (!(await store.head(name))) throw invalidInput(`There is no ${name} in ${store.address}.`);
      await extract(open(name), decrypt, folder, name);
    } else await copyFolder(store, name, folder, onProgress);
    const log = auditLogName(name);
    if (await store.head(log)) await saveAuditLog(open(log), decrypt, folder);
  } finally {
    store.close();
  }
}

async function copyFolder(
  store: MediaStore,
  name: string,
  folder: string,
  onProgress: ReportProgress,
): Promise<void> {
  const files: string[] = [];
  const backups = new Set<string>();
  for await (const { path: file } of store.list(`${name}/`)) {
    const inside = file.slice(name.length + 1);
    if (inside.split('/').some((segment) => segment === '..' || segment === ''))
      throw invalidInput(`${file} in ${store.address} is not a file of a backup.`);
    files.push(inside);
    const first = inside.split('/')[0]!;
    if (isBackupName(first)) backups.add(first);
  }
  if (!files.includes(manifestFile)) {
    const newest = [...backups].sort().at(-1);
    throw invalidInput(
      newest
        ? nameOne(name, newest)
        : `There is no backup ${name} in ${store.address}: it has no ${manifestFile}.`,
    );
  }
  let done = 0;
  await inParallel(files, FILES_AT_ONCE, async (file) => {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(
      Readable.from(readStored(store, `${name}/${file}`)),
      createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    );
    onProgress({ step: 'Copying from the bucket', done: (done += 1), total: files.length });
  });
}
