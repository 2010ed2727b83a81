import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Stored } from '#app/media/store/media-store.ts';
import { codeOf } from '#app/platform/errors.ts';
import type { Configured, Db } from '#app/platform/services.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

/** The disk with the least free space: a warning below 10 %, a problem below 1 %. */
export async function checkDisk(app: Configured & Stored): Promise<Finding> {
  const { database } = app.env;
  const folders = [
    ...(app.mediaStore.folder ? [app.mediaStore.folder] : []),
    ...(database.dialect === 'sqlite' ? [path.dirname(database.file)] : []),
  ];
  let least = { share: 1, folder: '' };
  for (const folder of folders) {
    const space = await statfs(folder).catch(() => statfs(path.dirname(folder)).catch(() => null));
    if (!space || space.blocks === 0) continue;
    const share = space.bavail / space.blocks;
    if (share < least.share) least = { share, folder };
  }
  const { share, folder } = least;
  if (folder === '') return ok('Nothing is kept on this host’s disks.');
  const free = `${(share * 100).toFixed(1)} % of the disk of ${folder} is free.`;
  if (share < 0.01) return problem(`${free} Make room now: saves and uploads fail on a full disk.`);
  return share < 0.1 ? warning(`${free} Make room before it is full.`) : ok(free);
}

/** Whether others can read the files with secrets, and whether SQLite can write beside its file. */
export async function checkPermissions(app: Configured): Promise<Finding> {
  const { database } = app.env;
  const databaseFiles = database.dialect === 'sqlite' ? [database.file] : [];
  const readable: string[] = [];
  for (const file of ['.env.local', ...databaseFiles]) {
    const stats = await stat(file).catch(() => null);
    if (stats && (stats.mode & 0o004) !== 0) readable.push(file);
  }
  // SQLite creates its log and shared memory beside the database.
  for (const entry of databaseFiles.flatMap((file) => [file, path.dirname(file)])) {
    const refusal = await access(entry, constants.W_OK).then(
      () => null,
      ({ code }: { code?: string }) => code,
    );
    if (refusal === 'EACCES' || refusal === 'EROFS')
      return problem(`${entry} cannot be written (${refusal}). Give it to the user of Dateline.`);
  }
  if (readable.length > 0)
    return warning(`Every user of this host can read ${readable.join(' and ')}. Run chmod o-rwx on it.`);
  if (process.getuid?.() === 0) return warning('This runs as root. Let Dateline run as a user of its own.');
  return ok('Files with secrets are readable by their owner only.');
}

/**
 * Whether the media store answers.
 * @param hasDatabase whether the database can be asked: opening one that is missing would create its file
 * @throws for a bucket: the error of the store
 */
export async function checkMedia(app: Db & Stored, hasDatabase: boolean): Promise<Finding> {
  const { folder } = app.mediaStore;
  try {
    await app.mediaStore.check();
  } catch (error) {
    const code = codeOf(error);
    if (!folder || !code?.startsWith('E')) throw error;
    if (code === 'ENOTDIR') return problem(`${folder} is a file, or below one. Correct the address.`);
    if (code === 'ENOENT' && hasDatabase && (await hasNoMedia(app)))
      return warning(`There is no folder ${folder} yet. The server creates it when it starts.`);
    const advice =
      code === 'ENOENT' ? 'Create it, or correct the address.' : 'Give it to the user of Dateline.';
    return problem(`The folder ${folder} cannot be read and written (${code}). ${advice}`);
  }
  return ok(`${app.mediaStore.address} answers.`);
}

/** False also when the database does not answer. */
function hasNoMedia({ db }: Db): Promise<boolean> {
  return db.media.findFirst({ select: { id: true } }).then(
    (row) => row === null,
    () => false,
  );
}
