import { dateFormat } from '#app/platform/time/format.ts';
import { repeatedHourOffset } from '#app/platform/time/repeated-hour.ts';

/** An instant in the given language and zone, with the offset if the hour occurs twice. */
export function instantText(
  instant: Date,
  {
    timeZone,
    language,
    style = 'medium',
  }: { timeZone: string; language: string; style?: 'medium' | 'long' | 'full' },
): string {
  const format = dateFormat(language, timeZone, { dateStyle: style, timeStyle: 'short' });
  const offset = repeatedHourOffset(instant, { timeZone, language }, format);
  return format.format(instant) + (offset ? ` (${offset})` : '');
}
