import { instantText } from './instant-text.ts';

/** A `time` element with the text of `instantText`. */
export function Time({
  instant,
  ...reader
}: {
  instant: Date | string;
  timeZone: string;
  language: string;
  style?: 'medium' | 'long';
}) {
  const date = new Date(instant);
  return <time dateTime={date.toISOString()}>{instantText(date, reader)}</time>;
}
