import { repeatedHourOffset } from '#app/platform/repeated-hour.ts';

/** An instant as people of the site read it: in its language and zone, with the offset where an hour occurs twice. */
export function Time({
  instant,
  timeZone,
  language,
  style = 'medium',
}: {
  instant: Date | string;
  timeZone: string;
  language: string;
  style?: 'medium' | 'long';
}) {
  const date = new Date(instant);
  const text = new Intl.DateTimeFormat(language, { dateStyle: style, timeStyle: 'short', timeZone });
  const offset = repeatedHourOffset(date, { timeZone, language }, text);
  return (
    <time dateTime={date.toISOString()}>
      {text.format(date)}
      {offset ? ` (${offset})` : null}
    </time>
  );
}
