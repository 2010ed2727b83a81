import { setTimeout as sleep } from 'node:timers/promises';

const STEPS = 20;

/**
 * Sleeps for a time in which this process runs. A time-out that ends while the process was held would blame a database
 * whose answer is there already.
 */
export async function sleepInSteps(milliseconds: number): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) await sleep(milliseconds / STEPS, undefined, { ref: false });
}
