const formats = new Map<string, Intl.DateTimeFormat>();

/** A day in words, in the site's language and zone: “20 November 2026”. */
export function longDate(date: Date, language: string, timeZone: string): string {
  return format(language, timeZone, { dateStyle: 'long' }).format(date);
}

/** Day and month: “20 Nov”. */
export function dayAndMonth(date: Date, language: string, timeZone: string): string {
  return format(language, timeZone, { day: 'numeric', month: 'short' }).format(date);
}

/** The name of a date's month: “November”. */
export function monthName(date: Date, language: string, timeZone: string): string {
  return format(language, timeZone, { month: 'long' }).format(date);
}

/** The year as a number, in the site's zone. */
export function yearOf(date: Date, timeZone: string): number {
  return Number(format('en-u-ca-gregory', timeZone, { year: 'numeric' }).format(date));
}

/** True when two instants are the same calendar day in the zone. */
export function isSameDay(a: Date, b: Date, timeZone: string): boolean {
  const day = format('en-u-ca-gregory', timeZone, { dateStyle: 'short' });
  return day.format(a) === day.format(b);
}

// Making a format costs a hundred times what using it does.
function format(
  language: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(language, { timeZone, ...options });
    formats.set(key, found);
  }
  return found;
}
