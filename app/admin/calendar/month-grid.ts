import { shiftMonth } from '#app/admin/times/local.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';

/** A month `YYYY-MM` as whole weeks of dates `YYYY-MM-DD`. */
export interface MonthGrid {
  month: string;
  previous: string;
  next: string;
  days: string[];
}

/** Null for anything but a month of the years 1000 to 9998. `firstDay`: 1 Monday to 7 Sunday. */
export function monthGrid(month: string, firstDay: number): MonthGrid | null {
  if (!/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(month) || month > '9998') return null;
  const [year, number] = month.split('-').map(Number) as [number, number];
  const first = Date.UTC(year, number - 1, 1);
  const leadingDays = (new Date(first).getUTCDay() - (firstDay % 7) + 7) % 7;
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const weeks = Math.ceil((leadingDays + length) / 7);
  const days = Array.from({ length: weeks * 7 }, (_, index) =>
    isoDate(first + (index - leadingDays) * DAY_MS),
  );
  return {
    month,
    previous: shiftMonth(month, -1),
    next: shiftMonth(month, 1),
    days,
  };
}

/** A date moved by days, both `YYYY-MM-DD`. */
export function shiftDate(date: string, days: number): string {
  return isoDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);
}

/** True for a date `YYYY-MM-DD` of the months that the calendar has. */
export function isDate(text: string): boolean {
  return monthGrid(text.slice(0, 7), 1)?.days.includes(text) ?? false;
}

/** The first day of the week where a language is spoken: 1 Monday to 7 Sunday. */
export function firstDayOfWeek(language: string): number {
  // In the standard, and in Node since 18, but not in TypeScript's types yet.
  const locale = new Intl.Locale(language) as Intl.Locale & {
    weekInfo?: { firstDay: number };
    getWeekInfo?: () => { firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
