import type { CommandModule } from 'yargs';
import { pathOption } from '../arguments.ts';
import { printResult } from '../command.ts';

interface Arguments {
  input: string;
}

export const backupProve: CommandModule<object, Arguments> = {
  command: 'backup:prove',
  describe: 'Restore a backup into a scratch instance and read every page, feed and media file of it',
  builder: (yargs) => yargs.options(pathOption('input', 'folder', 'Folder that backup:export made')),
  handler: async ({ input }) => {
    const { parseEnv } = await import('#app/platform/env.server.ts');
    // A proof does not use the environment, but every command refuses a wrong one (contract, section 1).
    parseEnv(process.env, 'command');
    const { withProgress } = await import('../progress.ts');
    const { proveBackup } = await import('../prove/prove-backup.ts');
    const onWarning = (warning: string) => void process.stderr.write(`${warning}\n`);
    const proof = await withProgress((onProgress) => proveBackup({ inputDir: input, onProgress, onWarning }));
    printResult(proof);
    if (!proof.proven) process.exitCode = 1;
  },
};
