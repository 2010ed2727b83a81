import { config } from 'dotenv';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { asDatabaseFailure } from '#app/platform/database/failure.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { asFileFailure } from '#app/platform/files/failure.server.ts';
import { checkFlags, repeatedOption, UsageError } from './arguments.ts';
import { adminCreate } from './commands/admin-create.ts';
import { backupExport } from './commands/backup-export.ts';
import { backupImport } from './commands/backup-import.ts';
import { backupProve } from './commands/backup-prove.ts';
import { backupRun } from './commands/backup-run.ts';
import { backupVerify } from './commands/backup-verify.ts';
import { contentCheckLinks } from './commands/content-check-links.ts';
import { contentCompare } from './commands/content-compare.ts';
import { contentExport } from './commands/content-export.ts';
import { contentImport } from './commands/content-import.ts';
import { dbMigrate } from './commands/db-migrate.ts';
import { dbSeed } from './commands/db-seed.ts';
import { doctor } from './commands/doctor.ts';
import { mediaMakeAvif } from './commands/media-make-avif.ts';
import { mediaMove } from './commands/media-move.ts';
import { postsCheckCounts } from './commands/posts-check-counts.ts';
import { postsPublishScheduled } from './commands/posts-publish-scheduled.ts';
import { postsStatus } from './commands/posts-status.ts';
import { quickstartSeed } from './commands/quickstart-seed.ts';
import { releasesStatus } from './commands/releases-status.ts';
import { searchCheckIndex } from './commands/search-check-index.ts';
import { searchReindexPosts } from './commands/search-reindex-posts.ts';

// Variables that are set already take precedence.
const { error: unread } = config({ path: '.env.local', quiet: true });
// As by another user than the file's: `DATABASE_URL is not configured` alone would not tell why.
if (unread && unread.code !== 'ENOENT' && !process.env.DATABASE_URL)
  process.stderr.write(`.env.local cannot be read: ${unread.message}\n`);

/** Exit codes (contract, section 2). */
const FAILED = 1;
const USAGE_ERROR = 2;

// A full disk or a closed pipe: the command did its work, but could not print the result.
process.stdout.on('error', (error) => {
  process.stderr.write(`The result cannot be written: ${error.message}\n`);
  process.exitCode = FAILED;
});

// Nobody can read the messages; the work goes on.
process.stderr.on('error', () => {});

const rawArguments = hideBin(process.argv);
const cli = yargs(rawArguments)
  .scriptName('npm run')
  .usage('Dateline: commands for operators. The result is one JSON object on stdout.\n\n$0 <command>')
  .command(adminCreate)
  .command(backupExport)
  .command(backupImport)
  .command(backupProve)
  .command(backupRun)
  .command(backupVerify)
  .command(contentCheckLinks)
  .command(contentCompare)
  .command(contentExport)
  .command(contentImport)
  .command(dbMigrate)
  .command(dbSeed)
  .command(doctor)
  .command(mediaMakeAvif)
  .command(mediaMove)
  .command(postsCheckCounts)
  .command(postsPublishScheduled)
  .command(postsStatus)
  .command(quickstartSeed)
  .command(releasesStatus)
  .command(searchCheckIndex)
  .command(searchReindexPosts)
  .check((parsed) => checkFlags(parsed, rawArguments))
  .demandCommand(1, 'Name a command.')
  .strict()
  .recommendCommands()
  .version(false)
  .help()
  .wrap(100)
  .exitProcess(false)
  .fail((message, error, instance) => {
    // Yargs passes a message if it refuses the arguments, and only an error if a handler fails.
    const failure = message ? new UsageError(message) : error;
    if (failure instanceof UsageError) instance.showHelp('error');
    throw failure;
  });

try {
  const repeated = repeatedOption(rawArguments);
  if (repeated !== undefined) {
    cli.showHelp('error');
    throw new UsageError(`--${repeated} is given more than once.`);
  }
  await cli.parseAsync();
} catch (error) {
  process.stderr.write(
    `${error instanceof UsageError ? '\n\n' : ''}${messageOf(asFileFailure(asDatabaseFailure(error)))}\n`,
  );
  process.exitCode = error instanceof UsageError ? USAGE_ERROR : FAILED;
}
