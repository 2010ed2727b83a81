const formats = new Map<string, Intl.DateTimeFormat>();

/** A cached format for dates: creating one costs a hundred times as much as using it. */
export function dateFormat(
  language: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(language, { timeZone, ...options });
    formats.set(key, format);
  }
  return format;
}

/**
 * Year, month, day, hour and minute of an instant in a zone, as digits by their name in `Intl`. For browsers; the server
 * has `toLocalTime`.
 */
export function localTimeParts(instant: Date | number, timeZone: string): Record<string, string> {
  const format = dateFormat('en-u-ca-gregory-nu-latn', timeZone, {
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
}
