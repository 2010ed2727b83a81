// The last release, built from history: the last commit whose schema is older than this one's.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#app/platform/project.server.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);
const MIGRATIONS = 'prisma/postgresql/migrations';

/**
 * Builds the last release with the packages of this project, and those that this one no longer has.
 * @returns its folder; null without its history: in an unpacked archive, or a clone without its origin
 */
export async function buildLastRelease(): Promise<string | null> {
  const commit = await findLastRelease();
  if (commit === null) return null;
  const folder = await tempFolder();
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: projectRoot });
  await linkPackages(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
  await downloadOthers(folder);
  await run(process.execPath, ['build.mjs'], { cwd: folder });
  return folder;
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name.startsWith('@')) await linkPackages(path.join(from, name), path.join(to, name));
    else await symlink(path.join(from, name), path.join(to, name));
  }
}

/** What these packages need themselves is among the others. */
async function downloadOthers(folder: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const [name, version] of Object.entries(dependencies)) {
    const place = path.join(folder, 'node_modules', name);
    if (existsSync(place)) continue;
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder });
    await mkdir(place, { recursive: true });
    await run('tar', ['-xzf', stdout.trim(), '-C', place, '--strip-components=1'], { cwd: folder });
  }
}

async function findLastRelease(): Promise<string | null> {
  const newest = (await readdir(path.join(projectRoot, MIGRATIONS)))
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1)!;
  const before = () => git('log', '-1', '--diff-filter=A', '--format=%P', '--', `${MIGRATIONS}/${newest}`);
  try {
    // The first commit of a shallow clone seems to add everything, and has no parent.
    if ((await before()) === '') await git('fetch', '--quiet', '--unshallow');
    return (await before()) || null;
  } catch {
    return null;
  }
}

async function git(...options: string[]): Promise<string> {
  return (await run('git', options, { cwd: projectRoot })).stdout.trim();
}
