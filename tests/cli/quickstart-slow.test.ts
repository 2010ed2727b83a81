// quickstart where its server takes long to answer, as on a slow machine.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startScript } from '#tests/support/child-process.ts';
import { freePort } from '#tests/support/free-port.ts';
import { makeClone, variables } from '#tests/support/quickstart-clone.ts';

test('a server that is slow to answer is waited for, and what is waited for is said', async () => {
  const folder = await makeClone();
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
