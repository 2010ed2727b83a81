import { setTimeout as sleep } from 'node:timers/promises';

const STEPS = 20;

/**
 * Waits so long for somebody else, in which this process runs: a time-out that it has slept through itself would blame
 * a database whose answer is there already.
 */
export async function patience(milliseconds: number): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) await sleep(milliseconds / STEPS, undefined, { ref: false });
}
