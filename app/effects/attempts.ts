import { DAY_MS } from '#app/platform/time/durations.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait before each try, after the one before it (contract, section 13). */
const waits = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  DAY_MS,
];

/**
 * The wait before the next try in milliseconds, with a tenth of jitter; null after the last one.
 * @param tries how many there were
 * @param retryAfterMs what the receiver asked for: obeyed up to a day
 */
export function waitBeforeNextTry(tries: number, retryAfterMs = 0): number | null {
  const wait = waits[tries];
  if (wait === undefined) return null;
  return Math.max(wait * (0.9 + Math.random() / 5), Math.min(retryAfterMs, DAY_MS));
}

/** Reads the header `Retry-After`: seconds or a date. 0 if it is absent or malformed. */
export function readRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
