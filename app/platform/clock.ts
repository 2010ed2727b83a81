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

/** New ids in ascending order. They are sorted because ids of one millisecond are created in no order. */
export function newIds(clock: Clock, count: number): string[] {
  return Array.from({ length: count }, () => newId(clock)).sort();
}
