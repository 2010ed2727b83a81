import type { CommandModule } from 'yargs';
import { flagOption, pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  output: string;
  'include-secrets': boolean;
  'audit-log': boolean;
}

export const backupExport: CommandModule<object, Arguments> = {
  command: 'backup:export',
  describe: 'Save the database and the uploads folder into a new folder',
  builder: (yargs) =>
    yargs
      .options(pathOption('output', 'folder', 'New or empty folder'))
      .option('include-secrets', flagOption('Write secrets in plain text instead of leaving them out'))
      .option('audit-log', flagOption('Write the audit log into a file beside the folder')),
  handler: async ({ output, 'include-secrets': includeSecrets, 'audit-log': auditLog }) => {
    const { withProgress } = await import('../progress.ts');
    const { exportBackup } = await import('#app/backup/write/export-backup.server.ts');
    const result = await withApp((app) =>
      withProgress((onProgress) =>
        exportBackup(app, { outputDir: output, includeSecrets, auditLog, onProgress }),
      ),
    );
    for (const warning of result.warnings) process.stderr.write(`${warning}\n`);
    printResult(result);
  },
};
