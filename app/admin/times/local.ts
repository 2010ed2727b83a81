import type { AdminContext } from '#app/admin/frame/screen.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { localTimeParts } from '#app/platform/time/format.ts';
import { offsetName } from '#app/platform/time/repeated-hour.ts';

/**
 * The approximate instant of a local time `YYYY-MM-DDTHH:mm` in a zone; null for any other text. Near a clock change it
 * may be wrong by an hour, so use it only for texts such as "in 3 days".
 */
export function roughInstant(local: string, timeZone: string): Date | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(local);
  if (!parts) return null;
  const [year, month, day, hour, minute] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  return new Date(asUtc - offsetAt(asUtc, timeZone));
}

/** The instants with a local time in a zone: none if a clock change skips the time, two if one repeats it. */
export function occurrences(local: string, timeZone: string): Date[] {
  const asUtc = Date.parse(`${local.slice(0, 16)}Z`);
  if (Number.isNaN(asUtc)) return [];
  const offsets = new Set([-DAY_MS, DAY_MS].map((shift) => offsetAt(asUtc + shift, timeZone)));
  return [...offsets]
    .map((offset) => asUtc - offset)
    .filter((instant) => instant + offsetAt(instant, timeZone) === asUtc)
    .sort((a, b) => a - b)
    .map((instant) => new Date(instant));
}

function offsetAt(instant: number, timeZone: string): number {
  const part = Object.fromEntries(
    Object.entries(localTimeParts(instant, timeZone)).map(([type, value]) => [type, Number(value)]),
  );
  return (
    Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute) -
    Math.floor(instant / 60_000) * 60_000
  );
}

const units = [
  ['year', 365 * 24 * 60],
  ['month', 30 * 24 * 60],
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/** The time between now and an instant in words: "in 3 days", "2 hours ago". */
export function distance(instant: Date, now: Date, language: string): string {
  const minutes = Math.round((instant.getTime() - now.getTime()) / 60_000);
  const [unit, size] = units.find(([, size]) => Math.abs(minutes) >= size) ?? units.at(-1)!;
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(minutes / size), unit);
}

/**
 * A short text for a local time, such as "Wed, Nov 25, 9:30 AM"; with the year if it is not this year. It shows the typed
 * hour even if a clock change skips that hour: the server refuses it, and no button may promise another one.
 * @param local a local time `YYYY-MM-DDTHH:mm`; anything else becomes an empty text
 * @param occurrence which of two equal local times is meant; the text then contains its offset
 */
export function shortTime(
  local: string,
  reader: Pick<AdminContext, 'language' | 'timeZone'>,
  occurrence = 'first',
): string {
  const { language, timeZone } = reader;
  const time = Date.parse(`${local.slice(0, 16)}Z`);
  if (Number.isNaN(time)) return '';
  const thisYear = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone, year: 'numeric' }).format();
  const [first, second] = occurrences(local, timeZone);
  const offset = first && second ? ` (${offsetName(occurrence === 'second' ? second : first, reader)})` : '';
  const words = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...clockOf(language),
    ...(!local.startsWith(thisYear) && { year: 'numeric' }),
  }).format(time);
  return words + offset;
}

/** The hour and minute as `timeStyle: 'short'` has them, which cannot be joined with a weekday. */
export function clockOf(language: string): Intl.DateTimeFormatOptions {
  const { hour12 } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' };
}

/** The hour and minute of a local time, such as "9:30 AM"; of anything else an empty text. */
export function shortHour(local: string, { language }: Pick<AdminContext, 'language'>): string {
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', timeStyle: 'short' });
  const time = Date.parse(`${local.slice(0, 16)}Z`);
  return Number.isNaN(time) ? '' : format.format(time);
}

/** A month moved by months, both `YYYY-MM`. */
export function shiftMonth(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}
