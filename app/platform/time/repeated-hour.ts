import { dateFormat } from './format.ts';

/** By how many minutes clocks go back: an hour, or half of one on Lord Howe Island. */
const CHANGES = [30, 60];
/** Two hours, in one zone. */
const TROLL_CHANGES = [120];

interface Reader {
  timeZone: string;
  language: string;
}

/**
 * The offset of an instant whose local time occurs twice because the clocks go back, such as "GMT+1"; null for any
 * other. For scripts of the browser, which do not load the library that `secondOccurrence` uses.
 * @param format in the reader's zone, to the minute
 */
export function repeatedHourOffset(
  instant: Date,
  reader: Reader,
  format: Intl.DateTimeFormat,
): string | null {
  const local = format.format(instant);
  const changes = reader.timeZone === 'Antarctica/Troll' ? TROLL_CHANGES : CHANGES;
  const isRepeated = changes
    .flatMap((minutes) => [minutes, -minutes])
    .some((minutes) => format.format(instant.getTime() + minutes * 60_000) === local);
  return isRepeated ? offsetName(instant, reader) : null;
}

/** The offset of a zone at an instant, such as "GMT+1". */
export function offsetName(instant: Date, { timeZone, language }: Reader): string {
  return dateFormat(language, timeZone, { timeZoneName: 'shortOffset' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')!.value;
}
