// quickstart where its server takes long to answer, as on a slow machine.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { startScript } from '#tests/support/child-process.ts';
import { freePort } from '#tests/support/free-port.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

// With their times: the build counts as newer than its sources.
const copied = { recursive: true, preserveTimestamps: true };

/** A clone that is installed and built, but never ran. */
async function clone() {
  const folder = path.join(await tempFolder(), 'clone');
  mkdirSync(folder);
  for (const name of ['bin', 'build', 'package.json', 'package-lock.json', 'build.mjs', 'vite.config.ts'])
    cpSync(path.join(projectRoot, name), path.join(folder, name), copied);
  for (const name of ['node_modules', 'app', 'prisma', 'public'])
    symlinkSync(path.join(projectRoot, name), path.join(folder, name));
  await writeFile(path.join(folder, '.env.local'), '');
  return folder;
}

const variables = { DATABASE_URL: 'file:./data/a.db', AUTH_URL: 'http://localhost:3000', HOST: '127.0.0.1' };

test('a server that is slow to answer is waited for, and what is waited for is said', async () => {
  const folder = await clone();
  const mayAnswer = path.join(folder, 'may-answer');
  await writeFile(
    path.join(folder, 'build/web-server.js'),
    `import { createServer } from 'node:http';
    import { existsSync } from 'node:fs';
    const server = createServer((request, response) => response.end('{}'));
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(mayAnswer)})) return;
      clearInterval(timer);
      server.listen(Number(process.env.PORT), '127.0.0.1');
    }, 50);
    process.on('SIGTERM', () => process.exit(0));`,
  );
  const PORT = String(await freePort());
  const script = startScript(path.join(folder, 'bin/quickstart.mjs'), [], {
    cwd: folder,
    env: { ...variables, AUTH_SECRET: 'x'.repeat(32), PORT },
  });
  const waits = `Still waiting for an answer from http://localhost:${PORT}/api/health`;
  await expect.poll(script.stdout, { timeout: 120_000 }).toContain(waits);
  expect(script.stdout()).not.toContain('Dateline is running.');
  await writeFile(mayAnswer, '');
  await expect
    .poll(script.stdout, { timeout: 60_000 })
    .toContain(`Backend     http://localhost:${PORT}/admin\n`);
  expect(script.stdout()).toMatch(/Password {4}[\w-]{16} /);
  script.child.kill('SIGTERM');
  expect(await script.ended).toBe(0);
}, 240_000);
