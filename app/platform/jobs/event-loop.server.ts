type Continue = () => void;

/** Work that has yielded, in its order. */
const waiting: Continue[] = [];

/**
 * Lets all other waiting work run first. A long loop calls it between its steps. In each turn of the event loop one piece
 * of yielded work goes on: many requests at once that have yielded hold up nobody else for longer than one of them.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueFirst);
  });
}

function continueFirst(): void {
  endTurn();
  waiting.shift()!();
  // An immediate that is set within an immediate runs in the next turn.
  if (waiting.length > 0) setImmediate(continueFirst);
}

/** Work of one turn of the event loop after which `yieldAfterLongWork` yields, in milliseconds. */
const LONG_WORK_MS = 5;

/** When the work of this turn of the event loop began; null before its first call of `yieldAfterLongWork`. */
let turnBegan: number | null = null;

/**
 * Yields if this turn of the event loop has lasted long. Every statement on SQLite calls it, so only a loop that computes
 * without reading has to yield by itself.
 */
export async function yieldAfterLongWork(): Promise<void> {
  const now = performance.now();
  if (turnBegan === null) {
    turnBegan = now;
    setImmediate(endTurn);
  } else if (now - turnBegan >= LONG_WORK_MS) await yieldToEventLoop();
}

/** The values, for a loop that computes with them and reads nothing. Yields to the event loop after long work. */
export async function* inTurns<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  for (const value of values) {
    yield value;
    await yieldAfterLongWork();
  }
}

function endTurn(): void {
  turnBegan = null;
}

/** Splits values into lists of at most `size`. */
export function inChunks<Value>(values: readonly Value[], size: number): Value[][] {
  const chunks: Value[][] = [];
  for (let from = 0; from < values.length; from += size) chunks.push(values.slice(from, from + size));
  return chunks;
}

/** Rows without texts that one statement reads or writes: some milliseconds, and fewer parameters than databases allow. */
export const ROWS_A_STEP = 100;
/** Rows with whole texts, of up to 2 MB each. */
export const TEXTS_A_STEP = 20;

/** Calls `work` with at most `size` values at a time. Returns all results. */
export async function inSteps<Value, Result>(
  values: readonly Value[],
  size: number,
  work: (chunk: Value[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const chunk of inChunks(values, size)) results.push(...(await work(chunk)));
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
