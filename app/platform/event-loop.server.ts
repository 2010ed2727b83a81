import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets everything else that waits run first: a long loop calls it between its steps. */
export const yieldToEventLoop = (): Promise<void> => nextTurn();

/** The values in lists of at most so many. */
export function inChunks<Value>(values: readonly Value[], size: number): Value[][] {
  const chunks: Value[][] = [];
  for (let from = 0; from < values.length; from += size) chunks.push(values.slice(from, from + size));
  return chunks;
}
