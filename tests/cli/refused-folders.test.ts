// What an operator reads when a command cannot write or read the folder that it is given.
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createUser } from '#tests/support/factories.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createUser(app, { role: 'administrator' });
});
afterAll(() => app?.close());

// No user makes folders below /sys, not even root.
test.runIf(process.platform === 'linux').each([
  ['backup:export', '--output', '/sys/none/backup'],
  ['backup:run', '--to', '/sys/none'],
  ['content:export', '--to', 'markdown', '--output', '/sys/none/posts'],
])('%s names a folder that cannot be made, and what to do', async (...args) => {
  const { code, stdout, stderr } = await runCommand(args, { env: app.variables });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^The folder \/sys\/none cannot be made \(E\w+\)\. Make it, and give it to the user.*\n$/,
  );
});

test('a backup below a file is refused by the name of the file', async () => {
  const file = path.join(await tempFolder(), 'file');
  await writeFile(file, 'x');
  const args = ['backup:export', '--output', path.join(file, 'backup')];
  const { code, stderr } = await runCommand(args, { env: app.variables });
  expect([code, stderr]).toEqual([1, `${file} is not a folder: a file is in its way.\n`]);
});

test('backup:run stores the backup where its proof has no folder, and names TMPDIR', async () => {
  const to = await tempFolder();
  const missing = path.join(to, 'none');
  const { code, stderr, json } = await runCommand(
    ['backup:run', '--to', path.join(to, 'backups'), '--prove'],
    {
      env: { ...app.variables, TMPDIR: missing },
    },
  );
  expect(stderr).toBe(
    `The folder for temporary files ${missing} cannot be used (ENOENT). Name another one in TMPDIR.\n`,
  );
  expect([code, json().proven]).toEqual([1, false]);
  expect(await readdir(path.join(to, 'backups'))).toHaveLength(3);
});
