// The drills of docs/operations/point-in-time.md, where the programs that they try are installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

const debian = '/usr/lib/postgresql';
const hasPostgres = () =>
  existsSync(debian) &&
  readdirSync(debian).some((version) => existsSync(path.join(debian, version, 'bin/pg_basebackup')));
const hasLitestream = () =>
  process.env.PATH!.split(path.delimiter).some((folder) => existsSync(path.join(folder, 'litestream')));

async function run(script: string) {
  const child = spawn('sh', [`docs/operations/examples/${script}`], { cwd: projectRoot });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test.each([
  ['point-in-time-postgresql.sh', hasPostgres],
  ['point-in-time-sqlite.sh', hasLitestream],
])(
  '%s recovers to the moment before an accident, or names the program that it lacks',
  async (script, isInstalled) => {
    const { code, output } = await run(script);
    const [expected, words] = isInstalled()
      ? [0, /\nRecovered to .+: both posts are there, counts and search index are right\.\n$/]
      : [3, /^\S+ is not installed/];
    expect({ code, output }).toEqual({ code: expected, output: expect.stringMatching(words) as string });
  },
);
