// Readers who go from page to page while something heavy happens beside them.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestServer } from './server.ts';

const READERS = 50;
/** A reader's pause between two pages. */
const PAUSE_MS = 500;

/**
 * The longest that a reader may wait on a quiet machine. Other tests share the machine of the short form, so only the long
 * one holds a server to the 250 ms that are promised.
 */
export const READER_WAIT_MS = process.env.NIGHTLY === '1' ? 250 : 5_000;

/** Does some work beside 50 readers, who must get every page. @returns the longest wait of a reader, in milliseconds */
export async function besideReaders<Result>(
  server: TestServer,
  paths: readonly string[],
  work: () => Promise<Result>,
): Promise<{ result: Result; longest: number }> {
  let isOver = false;
  const read = async (first: number): Promise<number> => {
    let longest = 0;
    await sleep((first * PAUSE_MS) / READERS);
    for (let round = first; !isOver; round += 1) {
      const started = performance.now();
      const { status } = await server.client().get(paths[round % paths.length]!);
      expect(status).toBe(200);
      longest = Math.max(longest, performance.now() - started);
      await sleep(PAUSE_MS);
    }
    return longest;
  };
  const readers = Promise.all(Array.from({ length: READERS }, (_, number) => read(number)));
  const result = await work().finally(() => (isOver = true));
  return { result, longest: Math.max(...(await readers)) };
}
