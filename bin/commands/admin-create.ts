import type { CommandModule } from 'yargs';
import { accountSchema } from '#app/auth/account-schema.ts';
import { withApp } from '../command.ts';

interface Arguments {
  email: string;
  username: string;
  displayName: string;
  password: string;
}

export const adminCreate: CommandModule<object, Arguments> = {
  command: 'admin:create <email> <username> <displayName> <password>',
  describe: 'Create an administrator, or update the account with that email',
  builder: (yargs) =>
    yargs
      .positional('email', { type: 'string', demandOption: true, describe: 'Email address' })
      .positional('username', { type: 'string', demandOption: true, describe: 'Name in author addresses' })
      .positional('displayName', { type: 'string', demandOption: true, describe: 'Name that readers see' })
      .positional('password', { type: 'string', demandOption: true, describe: '8 characters to 72 bytes' })
      .check((input) => {
        const parsed = accountSchema.safeParse(input);
        if (!parsed.success) throw new Error(parsed.error.issues[0]!.message);
        return true;
      }),
  handler: async (input) => {
    const account = accountSchema.parse(input);
    const { createAdministrator } = await import('#app/publishing/create-administrator.server.ts');
    await withApp((app) => createAdministrator(app, account));
    process.stdout.write(`Admin user ready: ${account.email}\n`);
  },
};
