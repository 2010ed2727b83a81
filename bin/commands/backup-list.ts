import path from 'node:path';
import type { CommandModule } from 'yargs';
import { targetOption } from '../arguments.ts';
import { printResult } from '../command.ts';

interface Arguments {
  from: string;
}

export const backupList: CommandModule<object, Arguments> = {
  command: 'backup:list',
  describe: 'List the backups in a folder or bucket, newest first',
  builder: (yargs) =>
    yargs.options(targetOption('from', 'Folder, or s3://bucket/folder?endpoint=…&region=…')),
  handler: async ({ from }) => {
    const { listBackups } = await import('#app/backup/write/place.server.ts');
    const { parseEnv } = await import('#app/platform/env.server.ts');
    const { mediaTarget } = await import('#app/platform/media-target.server.ts');
    const { s3 } = parseEnv(process.env, 'command');
    const address = /^(s3|file):/.test(from) ? from : `file:${path.resolve(from)}`;
    printResult({ backups: await listBackups(mediaTarget(address, s3, '--from')) });
  },
};
