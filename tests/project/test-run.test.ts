import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { longest } from '#tests/setup/test-sequencer.ts';
import { thoroughTests } from '#tests/thorough-tests.ts';

test('the set-up of the tests keeps the exit code of a failed run', () => {
  const script = "await import('./tests/setup/test-databases.ts'); process.exitCode = 3";
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: projectRoot,
  });
  expect(status).toBe(3);
});

test('every file that the quick run leaves out, that begins first or that runs on each version of Node exists', () => {
  const fileOf = (name: string) => `tests/${name}.test.ts`;
  const script = readFileSync(path.join(projectRoot, '.ci/other-nodes'), 'utf8');
  const onEachVersion = script.match(/\S+\.test\.ts/g) ?? [];
  expect(onEachVersion).not.toEqual([]);
  const named = [...thoroughTests, ...longest.map(fileOf), ...onEachVersion];
  expect(named.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
});
