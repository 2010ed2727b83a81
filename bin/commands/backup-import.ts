import type { CommandModule } from 'yargs';
import { backupInputOptions, flagOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';
import { withBackupOf, type BackupInputArguments } from '../open-backup.ts';

interface Arguments extends BackupInputArguments {
  force: boolean;
  'reindex-search': boolean;
}

export const backupImport: CommandModule<object, Arguments> = {
  command: 'backup:import',
  describe: 'Replace the content of this instance with a backup, all or nothing',
  builder: (yargs) =>
    yargs
      .options(backupInputOptions)
      .conflicts('identity', 'passphrase-file')
      .option('force', flagOption('Replace the content of an instance that is not empty'))
      .option('reindex-search', flagOption('Rebuild the search index afterwards')),
  handler: async ({ force, 'reindex-search': reindexSearch, ...options }) => {
    const { withProgress } = await import('../progress.ts');
    const { importBackup } = await import('#app/backup/restore/import-backup.server.ts');
    printResult(
      await withApp((app) =>
        withProgress((onProgress) =>
          withBackupOf(app, options, onProgress, (inputDir) =>
            importBackup(app, { inputDir, force, reindexSearch, onProgress }),
          ),
        ),
      ),
    );
  },
};
