import type { CommandModule } from 'yargs';
import { flagOption, pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  input: string;
  force: boolean;
  'reindex-search': boolean;
}

export const backupImport: CommandModule<object, Arguments> = {
  command: 'backup:import',
  describe: 'Replace the content of this instance with a backup, all or nothing',
  builder: (yargs) =>
    yargs
      .options(pathOption('input', 'folder', 'Folder that backup:export made'))
      .option('force', flagOption('Replace the content of an instance that is not empty'))
      .option('reindex-search', flagOption('Rebuild the search index afterwards')),
  handler: async ({ input, force, 'reindex-search': reindexSearch }) => {
    const { withProgress } = await import('../progress.ts');
    const { importBackup } = await import('#app/backup/restore/import-backup.server.ts');
    printResult(
      await withApp((app) =>
        withProgress((onProgress) =>
          importBackup(app, { inputDir: input, force, reindexSearch, onProgress }),
        ),
      ),
    );
  },
};
