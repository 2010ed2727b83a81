import type { CommandModule } from 'yargs';
import { backupInputOptions } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';
import { withBackupOf, type BackupInputArguments } from '../open-backup.ts';

export const backupVerify: CommandModule<object, BackupInputArguments> = {
  command: 'backup:verify',
  describe: 'Make every check that an import makes; writes nothing',
  builder: (yargs) => yargs.options(backupInputOptions).conflicts('identity', 'passphrase-file'),
  handler: async (options) => {
    const { withProgress } = await import('../progress.ts');
    const { verifyBackup } = await import('#app/backup/restore/verify-backup.server.ts');
    printResult(
      await withApp((app) =>
        withProgress((onProgress) =>
          withBackupOf(app, options, onProgress, (inputDir) => verifyBackup(app, { inputDir, onProgress })),
        ),
      ),
    );
  },
};
