import type { CommandModule } from 'yargs';
import { emailSchema } from '#app/people/accounts/schema.ts';
import { AppError } from '#app/platform/errors.ts';
import { flagOption, pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

export const usersList: CommandModule = {
  command: 'users:list',
  describe: 'List the accounts',
  handler: async () => {
    const users = await withApp((app) =>
      app.db.user.findMany({
        select: { id: true, email: true, username: true, role: true, disabledAt: true },
        orderBy: { email: 'asc' },
      }),
    );
    printResult({
      users: users.map(({ disabledAt, ...user }) => ({ ...user, disabled: disabledAt !== null })),
    });
  },
};

export const usersDisable: CommandModule<object, { email: string }> = {
  command: 'users:disable <email>',
  describe: 'Disable an account: its sessions and links end, and nobody can log in to it',
  builder: (yargs) =>
    yargs.positional('email', {
      type: 'string',
      demandOption: true,
      describe: 'Email address of the account',
    }),
  handler: async ({ email }) => {
    const { disableUser } = await import('#app/people/accounts/users.server.ts');
    const { byCommand } = await import('#app/people/audit/audit.server.ts');
    const parsed = emailSchema.safeParse(email);
    if (!parsed.success) throw new AppError('invalid_input', parsed.error.issues[0]!.message);
    await withApp(async (app) => {
      const user = await app.db.user.findUnique({ where: { email: parsed.data } });
      if (!user) throw new AppError('not_found', `There is no account with the email ${parsed.data}.`);
      if (user.disabledAt === null) await disableUser(app, byCommand, user.id);
    });
    printResult({ email: parsed.data, disabled: true });
  },
};

export const subscribersImport: CommandModule<object, { input: string; 'accept-consent': boolean }> = {
  command: 'subscribers:import',
  describe:
    'Import newsletter subscribers from a CSV file of Ghost, Substack, Mailchimp, Buttondown or listmonk',
  builder: (yargs) =>
    yargs
      .options(pathOption('input', 'file', 'CSV file with a column for the email address'))
      .option('accept-consent', flagOption('Take people without a date of consent: you have it elsewhere')),
  handler: async ({ input, 'accept-consent': acceptConsent }) => {
    const { importList } = await import('#app/newsletter/lists.server.ts');
    printResult(await withApp((app) => importList(app, input, { acceptConsent })));
  },
};

export const subscribersExport: CommandModule<object, { output: string }> = {
  command: 'subscribers:export',
  describe: 'Write all newsletter subscribers to a CSV file',
  builder: (yargs) => yargs.options(pathOption('output', 'file', 'CSV file to write')),
  handler: async ({ output }) => {
    const { exportList } = await import('#app/newsletter/lists.server.ts');
    printResult(await withApp((app) => exportList(app, output)));
  },
};

export const bouncesTry: CommandModule<object, { folder: string }> = {
  command: 'bounces:try <folder>',
  describe: 'Say what each mail of a folder would do in the bounce mailbox; changes nothing',
  builder: (yargs) =>
    yargs.positional('folder', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of mails, one a file',
    }),
  handler: async ({ folder }) => {
    const { tryReports } = await import('#app/newsletter/bounces/mailbox.server.ts');
    printResult(await tryReports(folder));
  },
};
