import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { application, projectRoot } from '#app/platform/project.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { createPost, createPosts } from '#tests/support/factories.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const { version } = application;

test('npm run upgrade puts a new version in place beside readers and triggers, and back', async () => {
  const clone = path.join(await tempFolder(), 'clone');
  await mkdir(clone);
  for (const part of [
    'app',
    'bin',
    'public',
    'prisma',
    'build',
    'build.mjs',
    'package.json',
    'package-lock.json',
  ])
    await cp(path.join(projectRoot, part), path.join(clone, part), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'generated',
    });
  for (const part of ['.npmrc', 'tsconfig.json', 'vite.config.ts'])
    await cp(path.join(projectRoot, part), path.join(clone, part));
  await symlink(path.join(projectRoot, 'node_modules'), path.join(clone, 'node_modules'));
  // The version that runs is an older one.
  const built = path.join(clone, 'build/package.json');
  await writeFile(built, (await readFile(built, 'utf8')).replace(version, '0.9.0'));
  await writeFile(path.join(clone, 'build/chunks/of-the-old-one.js'), '');

  const app = await createTestApp();
  await createPosts(app, 3, { status: 'published' });
  await createPost(app, { slug: 'due', status: 'scheduled', publishedAt: new Date(Date.now() - 60_000) });
  const server = await startServer({
    env: app.variables,
    script: path.join(clone, 'bin/start.mjs'),
    cwd: clone,
  });
  const upgrade = (...options: string[]) =>
    startScript(path.join(clone, 'bin/release/upgrade.mjs'), options, {
      cwd: clone,
      env: { ...app.variables, AUTH_URL: server.url },
    });

  const statuses = new Set<number>();
  let published = 0;
  let isOver = false;
  const readers = (async () => {
    while (!isOver) {
      statuses.add((await server.client().get('/')).status);
      await sleep(100);
    }
  })();
  const triggers = (async () => {
    while (!isOver) {
      const trigger = startScript(path.join(clone, 'bin/run.mjs'), ['posts:publish-scheduled'], {
        cwd: clone,
        env: app.variables,
      });
      expect(await trigger.ended, trigger.stderr()).toBe(0);
      published += (JSON.parse(trigger.stdout()) as { publishedCount: number }).publishedCount;
      await sleep(1_000);
    }
  })();
  const done = upgrade('--restart', 'touch restarted');
  expect(await done.ended, done.stderr()).toBe(0);
  isOver = true;
  await Promise.all([readers, triggers]);
  expect({ statuses: [...statuses], published }).toEqual({ statuses: [200], published: 1 });
  const result = JSON.parse(done.stdout()) as { backup: string };
  expect(result).toEqual({
    from: '0.9.0',
    to: version,
    backup: expect.stringContaining(path.join(clone, 'backups/before-')) as string,
    appliedMigrations: [],
    ready: true,
    restarted: true,
  });
  expect(existsSync(path.join(result.backup, 'manifest.json'))).toBe(true);
  expect(existsSync(path.join(clone, 'restarted'))).toBe(true);
  expect(JSON.parse(await readFile(built, 'utf8'))).toMatchObject({ version });
  // For processes that still run the old code.
  expect(existsSync(path.join(clone, 'build/chunks/of-the-old-one.js'))).toBe(true);
  expect((await readdir(clone)).filter((entry) => entry.startsWith('.upgrade'))).toEqual([]);

  const failed = upgrade('--back', '--restart', 'exit 3');
  expect(await failed.ended, failed.stderr()).toBe(1);
  expect(failed.stderr().trimEnd().split('\n').at(-1)).toBe(
    'The restart command failed with exit code 3. The former version is back in its place.',
  );
  expect(JSON.parse(await readFile(built, 'utf8'))).toMatchObject({ version });

  const back = upgrade('--back');
  expect(await back.ended, back.stderr()).toBe(0);
  expect(JSON.parse(back.stdout())).toMatchObject({
    from: version,
    to: '0.9.0',
    ready: true,
    restarted: false,
  });
  expect(JSON.parse(await readFile(built, 'utf8'))).toMatchObject({ version: '0.9.0' });

  await writeFile(path.join(clone, 'build.mjs'), "throw new Error('Half of it is missing.');\n");
  const broken = upgrade('--no-backup');
  expect(await broken.ended).toBe(1);
  expect(broken.stderr().trimEnd().split('\n').at(-1)).toMatch(/^The build failed: .*Half of it is missing/);
  expect(JSON.parse(await readFile(built, 'utf8'))).toMatchObject({ version: '0.9.0' });
  await server.stop();
  await app.close();
});
