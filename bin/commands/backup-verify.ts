import type { CommandModule } from 'yargs';
import { pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  input: string;
}

export const backupVerify: CommandModule<object, Arguments> = {
  command: 'backup:verify',
  describe: 'Make every check that an import makes; writes nothing',
  builder: (yargs) => yargs.options(pathOption('input', 'folder', 'Folder that backup:export made')),
  handler: async ({ input }) => {
    const { withProgress } = await import('../progress.ts');
    const { verifyBackup } = await import('#app/backup/restore/verify-backup.server.ts');
    printResult(
      await withApp((app) =>
        withProgress((onProgress) => verifyBackup(app, { inputDir: input, onProgress })),
      ),
    );
  },
};
