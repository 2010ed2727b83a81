import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const dockerfile = readFileSync(path.join(projectRoot, 'Dockerfile'), 'utf8');

/** Per stage that installs packages: what the image holds of the project at that moment. */
function filesBeforeInstall(): string[][] {
  const held = new Map<string, string[]>();
  const installs: string[][] = [];
  for (const stage of dockerfile.split(/^FROM /m).slice(1)) {
    const [, parent, name] = /^(\S+)(?: AS (\S+))?/.exec(stage)!;
    const files = [...(held.get(parent!) ?? [])];
    for (const line of stage.split('\n')) {
      const [instruction, ...words] = line.split(' ');
      if (instruction === 'COPY' && !words[0]!.startsWith('--')) files.push(...words.slice(0, -1));
      if (instruction === 'RUN' && /npm ci|install\.mjs/.test(line)) installs.push([...files]);
    }
    if (name) held.set(name, files);
  }
  return installs;
}

test('the image generates the database clients from the files that are there before its packages, without a download', async () => {
  const installs = filesBeforeInstall();
  expect(installs.length).toBeGreaterThan(0);
  for (const files of installs) {
    const folder = await tempFolder();
    for (const file of files) copyIntoImage(file, folder);
    symlinkSync(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
    const { status, stderr } = spawnSync(process.execPath, ['prisma/generate.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      // Nothing listens there: whoever wants a download gets none.
      env: { ...process.env, PRISMA_ENGINES_MIRROR: 'http://127.0.0.1:9' },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const side of ['sqlite', 'postgresql'])
      expect(existsSync(path.join(folder, 'prisma', side, 'generated/client.ts'))).toBe(true);
  }
});

test('the install compiles packages with the headers that lie beside node, without a download', async () => {
  const folder = await tempFolder();
  const npm = path.join(folder, 'npm.cjs');
  writeFileSync(
    npm,
    'console.log(JSON.stringify([process.env.npm_config_nodedir, ...process.argv.slice(2)]))',
  );
  const prefix = path.join(folder, 'node');
  mkdirSync(path.join(prefix, 'bin'), { recursive: true });
  mkdirSync(path.join(prefix, 'include/node'), { recursive: true });
  writeFileSync(path.join(prefix, 'include/node/node.h'), '');
  cpSync(process.execPath, path.join(prefix, 'bin/node'));
  const { stdout } = spawnSync(path.join(prefix, 'bin/node'), ['bin/install.mjs', '--omit=dev'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, npm_config_nodedir: '', npm_execpath: npm },
  });
  expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual(
    expect.arrayContaining([prefix, 'ci', '--omit=dev']),
  );
});

function copyIntoImage(file: string, folder: string): void {
  cpSync(path.join(projectRoot, file), path.join(folder, file), {
    recursive: true,
    // As .dockerignore has it.
    filter: (source) => !/[\\/]generated$|schema\.prisma$/.test(source),
  });
}
