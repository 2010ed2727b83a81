/** An instant as people of the site read it: in its language and zone. */
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
  return <time dateTime={date.toISOString()}>{text.format(date)}</time>;
}
