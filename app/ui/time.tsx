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

interface Reader {
  timeZone: string;
  language: string;
}

/** A `time` element with the text of `instantText`. */
export function Time({
  instant,
  ...reader
}: {
  instant: Date | string;
  style?: 'medium' | 'long';
} & Reader) {
  const date = new Date(instant);
  return <time dateTime={date.toISOString()}>{instantText(date, reader)}</time>;
}

/**
 * When something happened, in a list: of today "8 min. ago", of an earlier day its date (`withTime`: and the time of
 * day). The full time is the element's title. `now` is the server's, so that the browser's first text is the same.
 */
export function PastTime({
  instant,
  now,
  withTime = false,
  timeZone,
  language,
}: { instant: Date | string; now: Date; withTime?: boolean } & Reader) {
  const date = new Date(instant);
  const reader = { timeZone, language };
  const day = (of: Date) => dateFormat('en', timeZone, { dateStyle: 'short' }).format(of);
  const title = instantText(date, { ...reader, style: 'full' });
  const text =
    date <= now && day(date) === day(now)
      ? ago(now.getTime() - date.getTime(), language)
      : withTime || date > now
        ? instantText(date, reader)
        : dateFormat(language, timeZone, { dateStyle: 'medium' }).format(date);
  return (
    // A browser may abbreviate in another way than the server: what was rendered stays.
    <time dateTime={date.toISOString()} title={title} suppressHydrationWarning>
      {text}
    </time>
  );
}

function ago(ms: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return format.format(0, 'second');
  return minutes < 60 ? format.format(-minutes, 'minute') : format.format(-Math.floor(minutes / 60), 'hour');
}
