import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { namedFiles, nightlyFiles, secondsAtEachCommit, slowFiles } from '#tests/plan.ts';

test('the set-up of the tests keeps the exit code of a failed run', () => {
  const script = "await import('./tests/setup/test-databases.ts'); process.exitCode = 3";
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: projectRoot,
  });
  expect(status).toBe(3);
});

test('every file exists that runs at each commit although it is slow, or on each version of Node', () => {
  const script = readFileSync(path.join(projectRoot, '.ci/other-nodes'), 'utf8');
  const onEachVersion = script.match(/\S+\.test\.ts/g) ?? [];
  expect(onEachVersion).not.toEqual([]);
  const named = [...namedFiles, ...onEachVersion];
  expect(named.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
});

test('CI leaves slow files to the night, and none that is named', () => {
  expect(nightlyFiles.length).toBeGreaterThan(20);
  expect(nightlyFiles.filter((file) => namedFiles.includes(file) || !slowFiles.includes(file))).toEqual([]);
});

test('what CI runs takes at most 40 minutes of work', () => {
  expect(secondsAtEachCommit(projectRoot)).toBeLessThan(40 * 60);
});
