import { dateFormat } from '#app/platform/time/format.ts';

/** A day in words, in the site's language and zone: “20 November 2026”. */
export function longDate(date: Date, language: string, timeZone: string): string {
  return dateFormat(language, timeZone, { dateStyle: 'long' }).format(date);
}

/** Day and month: “20 Nov”. */
export function dayAndMonth(date: Date, language: string, timeZone: string): string {
  return dateFormat(language, timeZone, { day: 'numeric', month: 'short' }).format(date);
}

/** The name of a date's month: “November”. */
export function monthName(date: Date, language: string, timeZone: string): string {
  return dateFormat(language, timeZone, { month: 'long' }).format(date);
}

/** The year as a number, in the site's zone. */
export function yearOf(date: Date, timeZone: string): number {
  return Number(dateFormat('en-u-ca-gregory', timeZone, { year: 'numeric' }).format(date));
}

/** True when two instants are the same calendar day in the zone. */
export function isSameDay(a: Date, b: Date, timeZone: string): boolean {
  const day = dateFormat('en-u-ca-gregory', timeZone, { dateStyle: 'short' });
  return day.format(a) === day.format(b);
}
