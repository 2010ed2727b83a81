import { execFile } from 'node:child_process';
import { readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { application } from '#app/platform/project.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const execute = promisify(execFile);
const { name, version } = application;

test('npm run release makes an archive with checksums, which serves with Node alone', async () => {
  const folder = await tempFolder();
  const script = startScript('bin/release/release.mjs', ['--output', path.join(folder, 'out')]);
  expect(await script.ended, script.stderr()).toBe(0);
  const archive = `${name}-${version}-${process.platform}-${process.arch}.tar.gz`;
  expect(JSON.parse(script.stdout())).toEqual({ version, files: [archive, 'SHA256SUMS'] });
  await execute('sha256sum', ['--check', 'SHA256SUMS'], { cwd: path.join(folder, 'out') });
  await execute('tar', ['-xzf', path.join(folder, 'out', archive), '-C', folder]);
  const top = path.join(folder, `${name}-${version}`);
  expect(await readdir(top)).toEqual(
    expect.arrayContaining(['.env.example', 'CHANGELOG.md', 'LICENSE', 'bin', 'docs', 'units']),
  );
  // Through a link, as from /usr/local/bin.
  const link = path.join(folder, 'dateline');
  await symlink(path.join(top, 'bin/dateline'), link);
  expect((await execute(link, ['--version'], { cwd: folder })).stdout).toBe(`dateline ${version}\n`);
  const app = await createTestApp();
  await createPost(app, { slug: 'first', status: 'published' });
  const env = { ...process.env, ...app.variables };
  const status = await execute(link, ['posts:list'], { cwd: folder, env });
  expect(JSON.parse(status.stdout)).toMatchObject({ total: 1 });
  const help = await execute(link, ['--help'], { cwd: folder });
  expect(help.stdout).toContain('bin/dateline posts:list');
  expect(help.stdout).not.toContain('npm run');
  // What `bin/dateline start` runs.
  const server = await startServer({
    env: app.variables,
    script: path.join(top, 'bin/start.mjs'),
    cwd: folder,
  });
  expect((await server.client().get('/posts/first')).status).toBe(200);
  await server.stop();
  await app.close();
});
