import { DAY_MS } from '#app/platform/time/durations.ts';
import { localTimeParts } from '#app/platform/time/format.ts';

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
