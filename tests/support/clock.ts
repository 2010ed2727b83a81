import type { Clock } from '#app/platform/clock.ts';

/** A clock that only a test moves. */
export interface FakeClock extends Clock {
  /** Moves forward by that many milliseconds. */
  advance(milliseconds: number): void;
  /** Jumps to an instant (ISO 8601 or Date), backwards too. */
  set(instant: string | Date): void;
}

export const testNow = '2026-11-20T08:00:00.000Z';

/** @param start ISO 8601 or Date */
export function fakeClock(start: string | Date = testNow): FakeClock {
  let instant = new Date(start).getTime();
  return {
    now: () => new Date(instant),
    advance(milliseconds) {
      instant += milliseconds;
    },
    set(next) {
      instant = new Date(next).getTime();
    },
  };
}

/** The day of a month on which clocks in Europe change, in March and October. */
export function lastSundayOf(year: number, month: number): string {
  const last = new Date(Date.UTC(year, month, 0));
  last.setUTCDate(last.getUTCDate() - last.getUTCDay());
  return last.toISOString().slice(0, 10);
}
