import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { createUser } from '#tests/support/factories.ts';
import { runRefusedCalls, type RefusedCall } from '#tests/support/refused-calls.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await createUser(app, { email: 'first@example.org', username: 'first' });
});
afterAll(() => app?.close());

const account = (changes: Partial<Record<'email' | 'username' | 'name' | 'password', string>>) => {
  const { email, username, name, password } = {
    email: 'ada@example.org',
    username: 'ada',
    name: 'Ada',
    password: 'long enough',
    ...changes,
  };
  return ['admin:create', email, username, name, password];
};

const everyDay = ['backup:run', '--to', 'backups'];

describe('a usage error: exit code 2, usage and reason on stderr, nothing done', () => {
  const errors: [name: string, args: string[], reason: RegExp][] = [
    ['no command', [], /Name a command/],
    ['an unknown option', ['posts:publish-scheduled', '--now'], /Unknown argument: now/],
    ['an argument too many', ['db:migrate', 'please'], /Unknown argument: please/],
    [
      'a missing argument',
      ['admin:create', 'ada@example.org', 'ada', 'Ada'],
      /Not enough non-option arguments/,
    ],
    ['an argument too many for an account', [...account({}), 'extra'], /Unknown argument: extra/],
    ['a bad email address', account({ email: 'ada' }), /not an email address/],
    ['a short password', account({ password: '1234567' }), /at least 8 characters/],
    ['a password over 72 bytes', account({ password: 'é'.repeat(37) }), /at most 72 bytes/],
    ['an empty name', account({ name: '  ' }), /Display name is required/],
    ['an empty username', account({ username: '' }), /Username is required/],
    ['a missing option', ['backup:export'], /Missing required argument: output/],
    ['an option without its value', ['backup:export', '--output'], /Not enough arguments following: output/],
    ['an empty path', ['backup:export', '--output', ''], /^--output takes one folder\./],
    ['an optional path that is empty', [...everyDay, '--passphrase-file='], /^--passphrase-file takes one/],
    ['no number of days', [...everyDay, '--keep-daily', '1.5'], /^--keep-daily takes a .* from 0 to 9999/],
    ['a batch of none', ['search:reindex-posts', '--batch-size', '0'], /^--batch-size takes a .* 1 to 1000/],
    ['an option twice', ['backup:verify', '--input', 'a', '--input', 'b'], /--input is given more than once/],
    ['a value for a flag', ['search:check-index', '--repair=perhaps'], /takes no value/],
    ['a word after a flag', ['search:check-index', '--repair', 'perhaps'], /Unknown argument: perhaps/],
    [
      'a dry run that would be none',
      ['content:import', '--from', 'markdown', '--input', '.', '--dry-run=yes'],
      /takes no value/,
    ],
    ['an empty folder name', ['content:export', '--to', 'markdown', '--output', ''], /^--output takes one/],
    ['an unknown source', ['content:import', '--from', 'paper', '--input', '.'], /Given: "paper"/],
  ];
  let calls: RefusedCall[];
  beforeAll(async () => {
    const all = errors.map(([, args]) => args);
    calls = await runRefusedCalls(all, app.variables);
  });

  it.each(errors.map(([name, , reason], index) => ({ name, reason, index })))(
    '$name',
    ({ reason, index }) => {
      const { code, stdout, stderr } = calls[index]!;
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/npm run/);
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(reason);
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );

  it('does nothing and ends the process so', async () => {
    expect(await app.db.user.count()).toBe(1);
    const { code, stdout, stderr } = await runCommand(errors[1]![1], { env: app.variables });
    expect({ code, stdout, stderr }).toEqual(calls[1]);
  });
});

it.each([
  ['post:status', /^There is no command “post:status”\. The nearest: posts:status, [\w:-]+, [\w:-]+\.\n$/],
  ['publish-scheduled', /posts:publish-scheduled/],
  ['backup:restore', /backup:/],
  ['migrate', /The nearest: db:migrate/],
])('a wrong command: one line names it and the nearest ones: %s', async (name, line) => {
  const { code, stdout, stderr } = await runCommand([name], { env: app.variables });
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
  expect(stderr).toMatch(line);
});

describe('an expected failure: exit code 1 and one line', () => {
  const fails = async (args: string[], env: Record<string, string>, reason: RegExp) => {
    const { code, stdout, stderr } = await runCommand(args, { env });
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toMatch(reason);
  };

  it.each(['posts:publish-scheduled', 'posts:status', 'db:migrate', 'db:seed', 'search:reindex-posts'])(
    '%s without DATABASE_URL',
    (name) => fails([name], {}, /^DATABASE_URL is not configured$/m),
  );

  it('a command that uses no database of its own wants the environment too', () =>
    fails(['backup:prove', '--input', '.'], {}, /^DATABASE_URL is not configured$/m));

  it('an .env.local that cannot be read is named', async () => {
    const folder = await tempFolder();
    await mkdir(path.join(folder, '.env.local'));
    const script = startScript('bin/run.mjs', ['posts:status'], { cwd: folder });
    expect(await script.ended).toBe(1);
    expect(script.stderr()).toMatch(
      /^\.env\.local cannot be read: EISDIR.*\nDATABASE_URL is not configured\n$/,
    );
  });

  it('another scheme names the two accepted ones', async () => {
    const env = { DATABASE_URL: 'mysql://localhost/blog' };
    await fails(['db:migrate'], env, /file:.*postgresql:\/\//);
    await fails(['posts:status'], { ...app.variables, SEARCH_HOST: 'ftp://x' }, /^SEARCH_HOST must begin/);
  });

  it('a username that somebody else has', () =>
    fails(account({ username: 'first' }), app.variables, /username “first” belongs to another account/));

  it('a database that is not there, not migrated, damaged or out of reach', async () => {
    const folder = await tempFolder();
    const file = (name: string) => ({ DATABASE_URL: `file:${path.join(folder, name)}` });
    await writeFile(path.join(folder, 'empty.db'), '');
    await writeFile(path.join(folder, 'damaged.db'), 'This is no database, whatever its name says.');
    await fails(['posts:status'], file('none.db'), /^There is no database .*new site.*npm run db:migrate$/m);
    const noRights = /cannot be used: unable to open .* this user may write it and its folder\.$/m;
    // What a user meets whom the system does not let in, also at a file that exists.
    await symlink('endless.db', path.join(folder, 'endless.db'));
    for (const name of ['.', 'endless.db'])
      for (const command of ['posts:status', 'db:migrate']) await fails([command], file(name), noRights);
    await fails(['posts:status'], file('empty.db'), /lacks migrations.*npm run db:migrate$/m);
    await fails(['posts:publish-scheduled'], file('damaged.db'), /cannot be used: file is not a database$/m);
    await fails(['db:migrate'], file('damaged.db'), /cannot be used: file is not a database$/m);
    // Node's own way to make folders never ends there.
    await fails(['db:migrate'], { DATABASE_URL: 'file:/proc/none/below/x.db' }, /cannot be (used|made)/);
    const away = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/blog' };
    await fails(['posts:publish-scheduled'], away, /cannot be used: .*127\.0\.0\.1:1$/m);
    await fails(['db:migrate'], away, /cannot be used: .*127\.0\.0\.1:1$/m);
    const unencoded = { DATABASE_URL: 'postgresql://nobody:a#b@127.0.0.1:1/blog' };
    await fails(['posts:status'], unencoded, /cannot be used: Invalid URL\. Encode .* # is %23/);
  });

  it('an input folder that is not there', async () => {
    const nowhere = path.join(await tempFolder(), 'nowhere');
    await fails(['content:import', '--from', 'markdown', '--input', nowhere], app.variables, /no folder/);
    await fails(['backup:verify', '--input', nowhere], app.variables, /./);
  });

  it('a result that nobody reads', async () => {
    const command = startScript('bin/run.mjs', ['posts:status'], { env: app.variables });
    command.child.stdout!.destroy();
    expect(await command.ended).toBe(1);
    expect(command.stderr()).toMatch(/^The result cannot be written: .*\n$/);
  });
});
