import { existsSync } from 'node:fs';
import path from 'node:path';
import { config } from 'dotenv';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { asDatabaseFailure } from '#app/platform/database/failure.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { asFileFailure } from '#app/platform/files/disk.server.ts';
import { checkFlags, repeatedOption, UsageError } from './arguments.ts';
import { commands, nameOf, nearestCommands } from './commands.ts';

// Variables that are set already take precedence.
const { error: unread } = config({ path: '.env.local', quiet: true });
// As by another user than the file's: `DATABASE_URL is not configured` alone would not tell why.
if (unread && unread.code !== 'ENOENT' && !process.env.DATABASE_URL)
  process.stderr.write(`.env.local cannot be read: ${unread.message}\n`);

/** A wrong name: this one line says it all, without the usage of the other commands. */
class UnknownCommandError extends Error {}

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
// The built folder by itself, as in the archive of a release: it runs without npm.
const isAlone = existsSync(path.join(path.dirname(process.argv[1]!), 'dateline.js'));
const cli = yargs(rawArguments)
  .scriptName(isAlone ? 'bin/dateline' : 'npm run')
  .usage('Dateline: commands for operators. The result is one JSON object on stdout.\n\n$0 <command>');
for (const command of commands) cli.command(command);
cli
  .check((parsed) => checkFlags(parsed, rawArguments))
  .demandCommand(1, 'Name a command.')
  .strict()
  .version(false)
  // `bin/version.mjs` answers it.
  .option('version', { type: 'boolean', describe: 'Show the version' })
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
  const [name = ''] = rawArguments;
  if (/^[^-]/.test(name) && !commands.some((command) => nameOf(command) === name)) {
    const nearest = nearestCommands(name).join(', ');
    throw new UnknownCommandError(`There is no command “${name}”. The nearest: ${nearest}.`);
  }
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
  const isWrongCall = error instanceof UsageError || error instanceof UnknownCommandError;
  process.exitCode = isWrongCall ? USAGE_ERROR : FAILED;
}
