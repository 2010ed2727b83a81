import path from 'node:path';
import { buildFolder } from '#app/platform/project.server.ts';
import { startScript } from './child-process.ts';

/** What a call leaves. */
export interface RefusedCall {
  /** Exit code. */
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs built commands whose arguments are refused, one after the other in one process: a process for each takes half a
 * second of processor time. `runCommand` shows how a process ends.
 */
export async function runRefusedCalls(
  calls: string[][],
  env: Record<string, string>,
): Promise<RefusedCall[]> {
  const bundle = path.join(buildFolder, 'bin/dateline.js');
  const script = startScript('tests/support/processes/refused-calls.mjs', [bundle], {
    env,
    input: JSON.stringify(calls),
  });
  const code = await script.ended;
  if (code !== 0) throw new Error(`The calls ended with ${code}.\n${script.stderr()}`);
  return JSON.parse(script.stdout()) as RefusedCall[];
}
