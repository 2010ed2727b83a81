import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

test('what the tests stand on leaves the exit code of a failed run alone', () => {
  const script = "await import('./tests/setup/test-databases.ts'); process.exitCode = 3";
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: projectRoot,
  });
  expect(status).toBe(3);
});
