import path from 'node:path';
import type { CommandModule } from 'yargs';
import { countOption, flagOption, optionalPathOption, targetOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  to: string;
  'keep-daily'?: number;
  'keep-weekly'?: number;
  'keep-monthly'?: number;
  prove: boolean;
  'encrypt-to'?: string;
  'passphrase-file'?: string;
  'audit-log': boolean;
}

export const backupRun: CommandModule<object, Arguments> = {
  command: 'backup:run',
  describe: 'Make a backup in a folder or bucket, verify it, and remove old ones; for cron',
  builder: (yargs) =>
    yargs
      .options(targetOption('to', 'Folder, or s3://bucket/folder?endpoint=…&region=…'))
      .options(countOption('keep-daily', 'Days that keep their newest backup'))
      .options(countOption('keep-weekly', 'Weeks that keep their newest backup'))
      .options(countOption('keep-monthly', 'Months that keep their newest backup'))
      .option('prove', flagOption('Restore it into a scratch instance and read it (backup:prove)'))
      .option('encrypt-to', {
        type: 'string',
        requiresArg: true,
        describe: 'Public key of age (age1…); the backup becomes one encrypted file',
        coerce: (value: unknown): string => {
          if (typeof value === 'string' && /^age1[a-z0-9]{50,120}$/.test(value)) return value;
          throw new Error('--encrypt-to takes a public key of age: age1…');
        },
      })
      .options(
        optionalPathOption(
          'passphrase-file',
          'file',
          'File with a passphrase; the backup becomes one file that it opens (age)',
        ),
      )
      .conflicts('passphrase-file', 'encrypt-to')
      .option('audit-log', {
        type: 'boolean',
        default: true,
        describe: 'Store the audit log in a file beside the backup (--no-audit-log: leave it out)',
      }),
  handler: async (options) => {
    const { withProgress } = await import('../progress.ts');
    const { runBackup } = await import('../prove/run-backup.ts');
    const { readPassphrase } = await import('#app/backup/write/encrypt.server.ts');
    const { mediaTarget } = await import('#app/platform/media-target.server.ts');
    const { result, problems } = await withApp(async (app) => {
      const isAddress = /^(s3|file):/.test(options.to);
      const target = mediaTarget(
        isAddress ? options.to : `file:${path.resolve(options.to)}`,
        app.env.s3,
        '--to',
      );
      const keep = {
        daily: options['keep-daily'],
        weekly: options['keep-weekly'],
        monthly: options['keep-monthly'],
      };
      const { prove, 'audit-log': auditLog, 'encrypt-to': recipient, 'passphrase-file': file } = options;
      const key = recipient ? { recipient } : file ? { passphrase: await readPassphrase(file) } : undefined;
      const onWarning = (warning: string) => void process.stderr.write(`${warning}\n`);
      return withProgress((onProgress) =>
        runBackup(app, { target, keep, prove, key, auditLog, onProgress, onWarning }),
      );
    });
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    printResult(result);
    if (result.proven === false) process.exitCode = 1;
  },
};
