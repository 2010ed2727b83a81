import type { AdminContext } from '#app/admin/frame/screen.ts';
import { offsetName } from '#app/platform/time/repeated-hour.ts';
import { occurrences } from './local.ts';

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
