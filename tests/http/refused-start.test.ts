import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

test('a port that another process uses is named with the variable to change', async () => {
  const app = await createTestApp();
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    await expect(startServer({ env: app.variables, port })).rejects.toThrow(
      `The server cannot listen on HOST 127.0.0.1 with PORT ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
        'End the process that uses it, or change the variable.',
    );
  } finally {
    other.close();
    await app.close();
  }
});

test('a HOST that is no address of this host is named', async () => {
  const app = await createTestApp();
  const env = { ...app.variables, HOST: '192.0.2.1', PORT: String(await freePort()) };
  const { ended, stderr } = startScript('bin/start.mjs', [], { env });
  expect(await ended).toBe(1);
  expect(stderr()).toMatch(
    /^The server cannot listen on HOST 192\.0\.2\.1 with PORT \d+: .*EADDRNOTAVAIL.*\. HOST must be an address of this host: correct it, or leave it out\.\n$/,
  );
  await app.close();
});

test.each(['', ' '])(
  'the server is in production where NODE_ENV is %j, and needs AUTH_URL',
  async (NODE_ENV) => {
    const env = { DATABASE_URL: 'file:./none.db', AUTH_SECRET: 'x'.repeat(32), NODE_ENV };
    const { ended, stderr } = startScript('bin/start.mjs', [], { env });
    expect(await ended).toBe(1);
    expect(stderr()).toBe('AUTH_URL is not configured\n');
  },
);

test('an uploads folder that is a file is named', async () => {
  const file = path.join(await tempFolder(), 'uploads');
  await writeFile(file, 'x');
  const env = { DATABASE_URL: 'file:./none.db', AUTH_SECRET: 'x'.repeat(32), AUTH_URL: 'https://a.example' };
  const { ended, stderr } = startScript('bin/start.mjs', [], { env: { ...env, UPLOADS_DIR: file } });
  expect(await ended).toBe(1);
  expect(stderr()).toBe(`UPLOADS_DIR or MEDIA_STORE must name a folder: ${file} is a file\n`);
});

// Without a handler the signal would end it too, but not where it is process 1 of a container.
test.each(['SIGTERM', 'SIGINT'] as const)('%s ends a server that does not listen yet', async (signal) => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const env = {
    DATABASE_URL: `postgresql://nobody:nothing@127.0.0.1:${port}/none`,
    AUTH_SECRET: 'x'.repeat(32),
    AUTH_URL: 'https://a.example',
    UPLOADS_DIR: await tempFolder(),
    PORT: String(await freePort()),
  };
  // What a killed import left: the start waits some seconds for the database, to clean it up.
  await mkdir(path.join(env.UPLOADS_DIR, '.import-a'));
  await writeFile(path.join(env.UPLOADS_DIR, '.import-a/plan.json'), '{}');
  try {
    const { child, ended, stdout } = startScript('bin/start.mjs', [], { env });
    await once(silent, 'connection');
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(stdout()).not.toContain('is listening');
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
