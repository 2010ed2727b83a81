// Passwords stay out of the process list, and files that hold secrets are for their owner only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeApp, createApp } from '#app/compose.server.ts';
import { passwordMatches } from '#app/people/passwords/hash.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const account = ['ada@example.org', 'ada', 'Ada Lovelace'];
const READY = 'Admin user ready: ada@example.org\n';

describe('admin:create takes the password', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app?.close());

  const create = (input: string | undefined, ...password: string[]) =>
    runCommand(['admin:create', ...account, ...password], { env: app.variables, input });
  const storedHash = async () => (await app.db.user.findFirst())?.passwordHash;

  test.each<[string, string[], string]>([
    ['from a pipe', [], 'a-long-password\n'],
    ['from a pipe, where a hyphen stands for it', ['-'], 'a-long-password'],
    ['from the first line', [], 'a-long-password\r\nanother line\n'],
  ])('%s', async (_name, argument, input) => {
    const before = await storedHash();
    expect(await create(input, ...argument)).toMatchObject({ code: 0, stdout: READY, stderr: '' });
    expect(await storedHash()).not.toBe(before);
  });

  test('from the fourth argument, whatever input there is', async () => {
    expect(await create('too short\n', 'a-long-password')).toMatchObject({ code: 0, stdout: READY });
    expect(await create('open', 'a-long-password')).toMatchObject({ code: 0, stdout: READY });
  });

  // One random password in 64 begins so.
  test.each([[['-k3_xQ9-long']], [['--', '--k3_xQ9-long']]])(
    'from the fourth argument %j, which begins with a hyphen',
    async (argument) => {
      expect(await create(undefined, ...argument)).toMatchObject({ code: 0, stdout: READY, stderr: '' });
      expect(await passwordMatches(argument.at(-1)!, await storedHash())).toBe(true);
    },
  );

  test.each([[['--force-long-enough']], [['-p', 'a-long-password']]])(
    'and takes no mistyped option %j for one',
    async (argument) => {
      const before = await storedHash();
      expect(await create(undefined, ...argument)).toMatchObject({ code: 2, stdout: '' });
      expect(await storedHash()).toBe(before);
    },
  );

  test.each<[string, string | undefined, string[], RegExp]>([
    ['empty', '', [], /password is missing/],
    ['empty, where a hyphen stands for it', '', ['-'], /password is missing/],
    ['a pipe that nobody writes to', 'open', [], /password is missing/],
    ['too short', 'short\n', [], /at least 8 characters/],
    ['endless', 'x'.repeat(100_000), ['-'], /too long/],
  ])('and refuses an input that is %s as a usage error', async (_name, input, argument, reason) => {
    const before = await storedHash();
    const { code, stdout, stderr } = await create(input, ...argument);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/npm run admin:create/);
    expect(stderr).toMatch(reason);
    expect(await storedHash()).toBe(before);
  });

  test('unseen from a terminal', async () => {
    const before = await storedHash();
    const command = `"${process.execPath}" bin/run.mjs admin:create ada@example.org ada Ada`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: projectRoot,
      env: { ...process.env, ...app.variables },
    });
    let screen = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
    await expect.poll(() => screen).toContain('Password (not shown):');
    terminal.stdin.write('a-long-password\r');
    await once(terminal, 'close');
    expect(screen).toContain('Admin user ready: ada@example.org');
    expect(screen).not.toContain('a-long-password');
    expect(await storedHash()).not.toBe(before);
  });
});

test('database and search files are made for their owner only', async () => {
  const folder = await tempFolder();
  const file = (name: string) => path.join(folder, name);
  const variables = {
    DATABASE_URL: `file:${file('blog.db')}`,
    SEARCH_HOST: `file:${file('search.db')}`,
    UPLOADS_DIR: file('uploads'),
    AUTH_SECRET: 'test-secret-of-more-than-32-characters',
    LOG_LEVEL: 'silent',
  };
  expect((await runCommand(['db:migrate'], { env: variables })).code).toBe(0);
  expect(await modeOf(file('blog.db'))).toBe('600');
  const app = await createApp(parseEnv(variables, 'command'), { logTo: 'stderr' });
  await app.db.siteState.updateMany({ data: { updatedAt: new Date() } });
  await app.search.createIndex();
  const modes = await Promise.all(
    ['blog.db', 'blog.db-wal', 'blog.db-shm', 'search.db', 'search.db-wal', 'search.db-shm'].map(
      async (name) => [name, await modeOf(file(name))],
    ),
  );
  await closeApp(app);
  expect(modes.filter(([, mode]) => mode !== '600')).toEqual([]);
});

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}
