import type { CommandModule } from 'yargs';
import { accountSchema } from '#app/people/accounts/schema.ts';
import { UsageError } from '../arguments.ts';
import { withApp } from '../command.ts';
import { readPassword } from '../read-password.ts';

interface Arguments {
  email: string;
  username: string;
  displayName: string;
  password?: string;
}

/** The password argument that means: read the password from standard input, without a time limit. */
const FROM_INPUT = '-';

/**
 * Programs often start a command with a standard input that never ends. The password counts as missing after this time
 * without a byte.
 */
const INPUT_WAIT_MS = 3_000;

export const adminCreate: CommandModule<object, Arguments> = {
  command: 'admin:create <email> <username> <displayName> [password]',
  describe: 'Create an administrator, or update the account with that email',
  builder: (yargs) =>
    yargs
      // Otherwise a password that begins with a hyphen is taken for options.
      .parserConfiguration({ 'unknown-options-as-args': true })
      .positional('email', { type: 'string', demandOption: true, describe: 'Email address' })
      .positional('username', { type: 'string', demandOption: true, describe: 'Name in author addresses' })
      .positional('displayName', { type: 'string', demandOption: true, describe: 'Name that readers see' })
      .positional('password', {
        type: 'string',
        describe: '8 characters to 72 bytes. "-" or nothing: the first line of standard input',
      })
      // The other arguments are checked before anybody types a password.
      .check(({ email, username, displayName }) => {
        const parsed = accountSchema.omit({ password: true }).safeParse({ email, username, displayName });
        if (!parsed.success) throw new Error(parsed.error.issues[0]?.message);
        return true;
      }),
  handler: async ({ email, username, displayName, password }) => {
    const account = accountSchema.safeParse({
      ...{ email, username, displayName },
      password: await passwordOf(password),
    });
    if (!account.success) throw new UsageError(account.error.issues[0]?.message);
    const { createAdministrator } = await import('#app/publishing/accounts/change.server.ts');
    await withApp((app) => createAdministrator(app, account.data));
    process.stdout.write(`Admin user ready: ${account.data.email}\n`);
  },
};

async function passwordOf(argument: string | undefined): Promise<string> {
  // From `process.argv`, since yargs takes a text that begins with a hyphen for an empty one.
  const [beforeLast, last = ''] = process.argv.slice(-2);
  const fromInput = last === FROM_INPUT;
  if (!fromInput && !argument && /^-./.test(last) && last !== '--') {
    if (!last.startsWith('--') || beforeLast === '--') return last;
    throw new UsageError('This command takes no such option. Give a password that begins so after “--”.');
  }
  if (argument !== undefined && !fromInput) return argument;
  const password = await readPassword(fromInput ? undefined : INPUT_WAIT_MS);
  if (password !== '') return password;
  throw new UsageError(
    'Not enough non-option arguments: the password is missing. Give it on standard input or as the fourth argument.',
  );
}
