import { cpSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { startScript } from '#tests/support/child-process.ts';
import { freePort } from '#tests/support/free-port.ts';
import { copied, makeClone, variables } from '#tests/support/quickstart-clone.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

/** A clone that is installed and built. One for all tests: the build is large. */
let clone: string;

beforeAll(async () => {
  clone = await makeClone();
  await rm(path.join(clone, '.env.local'));
});

async function quickstart(env: Record<string, string>) {
  const script = startScript(path.join(clone, 'bin/quickstart.mjs'), [], { cwd: clone, env });
  const code = await script.ended;
  return { code, stdout: script.stdout(), stderr: script.stderr() };
}

test('a port that another program uses is named before anything is made', async () => {
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const { code, stdout, stderr } = await quickstart({ ...variables, PORT: String(port) });
  other.close();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `Port ${port} is in use. End the process that uses it, or use another one: PORT=3001 npm run quickstart\n`,
  );
  for (const made of ['data', '.env.local'])
    await expect(stat(path.join(clone, made))).rejects.toThrow('ENOENT');
});

// With 0 the server would take any port, at which quickstart would never look.
test.each(['99999', 'abc', '3000.5', '0'])('a PORT that is none, %s, is said in one line', async (PORT) => {
  const { code, stdout, stderr } = await quickstart({ ...variables, PORT });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `PORT must be a whole number from 1 to 65535, and it is ${PORT}: PORT=3000 npm run quickstart\n`,
  );
});

test('a password that was made is printed also when the server does not start', async () => {
  const PORT = String(await freePort());
  const { code, stderr } = await quickstart({ ...variables, AUTH_SECRET: '<AUTH_SECRET>', PORT });
  expect(code).toBe(1);
  expect(stderr).toContain('AUTH_SECRET is not configured');
  expect(stderr).toMatch(/Log in {6}admin@example\.org\n {2}Password {4}[\w-]{16} /);
});

test('with another PORT in the shell than quickstart has written, the site has that address', async () => {
  await writeFile(path.join(clone, '.env.local'), 'PORT=3000\nAUTH_URL=http://localhost:3000\n');
  await writeFile(
    path.join(clone, 'build/web-server.js'),
    "process.stdout.write('AUTH_URL is ' + process.env.AUTH_URL + '\\n', () => process.exit(1));",
  );
  const PORT = String(await freePort());
  const { stdout } = await quickstart({ ...variables, AUTH_SECRET: 'x'.repeat(32), PORT });
  expect(stdout).toContain(`AUTH_URL is http://localhost:${PORT}\n`);
});

test.each(['quickstart', 'run', 'start'])('an older Node is said in one line by bin/%s.mjs', async (name) => {
  const folder = await tempFolder();
  cpSync(path.join(projectRoot, 'bin'), path.join(folder, 'bin'), copied);
  await writeFile(path.join(folder, 'package.json'), '{"type": "module", "engines": {"node": ">=99.1"}}');
  const script = startScript(path.join(folder, `bin/${name}.mjs`), [], { cwd: folder, env: {} });
  expect(await script.ended).toBe(1);
  expect([script.stdout(), script.stderr()]).toEqual([
    '',
    `Dateline needs Node 99.1 or newer, and this is ${process.version}. Install Node 24.\n`,
  ]);
});
