import path from 'node:path';
import type { CommandModule } from 'yargs';
import { countOption, flagOption, placeOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  to: string;
  'keep-daily'?: number;
  'keep-weekly'?: number;
  'keep-monthly'?: number;
  prove: boolean;
  'encrypt-to'?: string;
}

export const backupRun: CommandModule<object, Arguments> = {
  command: 'backup:run',
  describe: 'Make a backup in a folder or bucket, verify it, and remove old ones; for cron',
  builder: (yargs) =>
    yargs
      .option('to', placeOption('Folder, or s3://bucket/folder?endpoint=…&region=…'))
      .option('keep-daily', countOption('Days that keep their newest backup'))
      .option('keep-weekly', countOption('Weeks that keep their newest backup'))
      .option('keep-monthly', countOption('Months that keep their newest backup'))
      .option('prove', flagOption('Restore it into a scratch instance and read it (backup:prove)'))
      .option('encrypt-to', {
        type: 'string',
        requiresArg: true,
        describe: 'Public key of age (age1…); the backup becomes one encrypted file',
        coerce: (value: unknown): string => {
          if (typeof value === 'string' && /^age1[a-z0-9]{50,120}$/.test(value)) return value;
          throw new Error('--encrypt-to takes a public key of age: age1…');
        },
      }),
  handler: async (given) => {
    const { withProgress } = await import('../progress.ts');
    const { runBackup } = await import('../prove/run-backup.ts');
    const { mediaTarget } = await import('#app/platform/media-target.server.ts');
    const { result, problems } = await withApp(async (app) => {
      const isAddress = /^(s3|file):/.test(given.to);
      const target = mediaTarget(isAddress ? given.to : `file:${path.resolve(given.to)}`, app.env.s3, '--to');
      const keep = {
        daily: given['keep-daily'],
        weekly: given['keep-weekly'],
        monthly: given['keep-monthly'],
      };
      const { prove, 'encrypt-to': encryptTo } = given;
      const onWarning = (warning: string) => void process.stderr.write(`${warning}\n`);
      return withProgress((onProgress) =>
        runBackup(app, { target, keep, prove, encryptTo, onProgress, onWarning }),
      );
    });
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    printResult(result);
    if (result.proven === false) process.exitCode = 1;
  },
};
