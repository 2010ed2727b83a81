import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { inEveryShard, longest } from '#tests/setup/test-sequencer.ts';
import { thoroughTests } from '#tests/thorough-tests.ts';

test('the set-up of the tests keeps the exit code of a failed run', () => {
  const script = "await import('./tests/setup/test-databases.ts'); process.exitCode = 3";
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: projectRoot,
  });
  expect(status).toBe(3);
});

test('every file that the quick run leaves out, that begins first or that is in every shard exists', () => {
  const fileOf = (name: string) => `tests/${name}.test.ts`;
  const named = [...thoroughTests, ...longest.map(fileOf), ...inEveryShard.map(fileOf)];
  expect(named.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
});
