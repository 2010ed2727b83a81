// Processor time of a process, as Linux counts it.
import { readFile, readdir } from 'node:fs/promises';

/** Milliseconds of CPU that a process's threads have used. */
export async function cpuOf(pid: number): Promise<number> {
  let nanoseconds = 0;
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => []))
    nanoseconds += Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')[0]);
  return nanoseconds / 1e6;
}

export function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
