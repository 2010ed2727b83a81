import { setTimeout as sleep } from 'node:timers/promises';

const STEPS = 20;

/**
 * Sleeps for a time during which this process runs. One long timer would end at once after the process was suspended,
 * and the caller would report a timeout although the database has answered meanwhile. A step loses little.
 */
export async function sleepInSteps(milliseconds: number): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) await sleep(milliseconds / STEPS, undefined, { ref: false });
}
