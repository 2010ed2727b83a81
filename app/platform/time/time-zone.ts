import { Temporal } from 'temporal-polyfill';

/** True for an IANA time zone name (or `UTC`) that this runtime knows. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are valid for Intl, but they know no clock changes.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The outcome of reading a local time in a zone. */
export type LocalTimeReading = { ok: true; instant: Date } | { ok: false; reason: 'malformed' | 'skipped' };

const localTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/**
 * Reads `YYYY-MM-DDTHH:mm` (seconds are dropped) in a zone. A time that a clock change skips is
 * `skipped`; one that occurs twice means the first (contract, section 4).
 */
export function readLocalTime(value: string, timeZone: string): LocalTimeReading {
  if (!localTime.test(value)) return { ok: false, reason: 'malformed' };
  try {
    const localDateTime = Temporal.PlainDateTime.from(value.slice(0, 16), { overflow: 'reject' });
    const zoned = localDateTime.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
    const instant = new Date(zoned.epochMilliseconds);
    if (localDateTime.year < 1 || !isStorable(instant)) return { ok: false, reason: 'malformed' };
    if (!zoned.toPlainDateTime().equals(localDateTime)) return { ok: false, reason: 'skipped' };
    return { ok: true, instant };
  } catch {
    return { ok: false, reason: 'malformed' };
  }
}

/**
 * True for the years 1 to 9999 in UTC. SQLite compares times as texts: the sign before another year would sort a far
 * future before the present.
 */
export function isStorable(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** The second of two instants that have the same local time because a clock change repeats an hour; else null. */
export function secondOccurrence(instant: Date, timeZone: string): Date | null {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map(
    (disambiguation) => local.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
  );
  return first === second ? null : new Date(second!);
}

/** The local time of an instant as `<input type="datetime-local">` takes it: `YYYY-MM-DDTHH:mm`. */
export function toLocalTime(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
}

/** Midnight, or the first moment after it, of a date `YYYY-MM-DD` in a zone; null for an impossible date. */
export function startOfDay(date: string, timeZone: string): Date | null {
  try {
    const day = Temporal.PlainDate.from(date, { overflow: 'reject' });
    return new Date(day.toZonedDateTime({ timeZone }).epochMilliseconds);
  } catch {
    return null;
  }
}

/**
 * An instant moved by calendar days and clock minutes in a zone: a shift by days keeps the local time across a clock
 * change. A local time that the change skips is moved forward by the length of the gap.
 */
export function shiftInstant(instant: Date, by: { days?: number; minutes?: number }, timeZone: string): Date {
  const shifted = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .add({ days: by.days ?? 0 })
    .add({ minutes: by.minutes ?? 0 });
  return new Date(shifted.epochMilliseconds);
}
