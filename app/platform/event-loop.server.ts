import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets all other waiting work run first. A long loop calls it between its steps. */
export const yieldToEventLoop = (): Promise<void> => nextTurn();

/** Splits values into lists of at most `size`. */
export function inChunks<Value>(values: readonly Value[], size: number): Value[][] {
  const chunks: Value[][] = [];
  for (let from = 0; from < values.length; from += size) chunks.push(values.slice(from, from + size));
  return chunks;
}

/** Calls `work` with at most `size` values at a time and yields to the event loop in between. Returns all results. */
export async function inSteps<Value, Result>(
  values: readonly Value[],
  size: number,
  work: (chunk: Value[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const chunk of inChunks(values, size)) {
    results.push(...(await work(chunk)));
    if (values.length > size) await yieldToEventLoop();
  }
  return results;
}

/** Splits values into lists whose weights add up to at most `most`. A heavier value gets a list of its own. */
export function inChunksByWeight<Value>(
  values: readonly Value[],
  most: number,
  weightOf: (value: Value) => number,
): Value[][] {
  const chunks: Value[][] = [];
  let left = 0;
  for (const value of values) {
    const weight = weightOf(value);
    if (chunks.length === 0 || weight > left) {
      chunks.push([]);
      left = most;
    }
    chunks.at(-1)!.push(value);
    left -= weight;
  }
  return chunks;
}
