import type { App } from '#app/app.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';

export interface BackupInputArguments {
  input: string;
  identity?: string;
  'passphrase-file'?: string;
}

/**
 * Runs `work` on the folder of the backup that the options name.
 * @throws AppError as `withBackupFolder`
 */
export async function withBackupOf<T extends { inputDir: string }>(
  app: App,
  options: BackupInputArguments,
  onProgress: ReportProgress,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { readIdentity, withBackupFolder } = await import('#app/backup/restore/open-input.server.ts');
  const { readPassphrase } = await import('#app/backup/write/encrypt.server.ts');
  const { input, identity, 'passphrase-file': passphraseFile } = options;
  const opened = {
    input,
    identity: identity === undefined ? undefined : await readIdentity(identity),
    passphrase: passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile),
    s3: app.env.s3,
    mediaStore: app.mediaStore,
    onProgress,
  };
  return withBackupFolder(opened, work);
}
