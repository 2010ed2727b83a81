import { v7 } from 'uuid';

/** Where time comes from. Nothing else calls `Date.now()`; tests inject a clock of their own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A new UUIDv7 whose time part is the clock's. */
export function newId(clock: Clock): string {
  return v7({ msecs: clock.now().getTime() });
}

/** So many new ids, in ascending order: those of one millisecond have none of their own. */
export function newIds(clock: Clock, count: number): string[] {
  return Array.from({ length: count }, () => newId(clock)).sort();
}
