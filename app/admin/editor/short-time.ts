import type { AdminContext } from '#app/admin/screen.ts';
import { offsetName } from '#app/platform/repeated-hour.ts';
import { occurrences } from './local-times.ts';

/**
 * "Wed, Nov 25, 09:30", and the year of any other than this one. The hour is the one that was typed, also one that a clock
 * change skips: the server refuses it, and no button may promise another.
 * @param local a local time `YYYY-MM-DDTHH:mm`; anything else becomes an empty text
 * @param occurrence which one is meant where the hour occurs twice; its offset is named then
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
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!local.startsWith(thisYear) && { year: 'numeric' }),
  }).format(time);
  return words + offset;
}
