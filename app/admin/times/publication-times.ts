// Separate from `local.ts`, whose texts the editor's first code needs.
import { DAY_MS } from '#app/platform/time/durations.ts';
import { dateFormat, localTimeParts } from '#app/platform/time/format.ts';

/** What a form for publishing says about times in the site's zone. */
export interface PublicationTimes {
  /** The local time `YYYY-MM-DDTHH:mm`. */
  now: string;
  /** The zone in words, such as "Central European Standard Time". */
  zone: string;
  /** Their values are local times, too. */
  suggestions: { label: string; value: string }[];
}

/** The present, the zone, and nine o'clock tomorrow, on the next Monday, and in a week. */
export function publicationTimes(
  now: Date,
  { timeZone, language }: { timeZone: string; language: string },
): PublicationTimes {
  const local = localTime(now, timeZone);
  const today = Date.parse(`${local.slice(0, 10)}T00:00Z`);
  const monday = (8 - new Date(today).getUTCDay()) % 7 || 7;
  const days = [
    { label: 'Tomorrow', days: 1 },
    { label: 'Monday', days: monday },
    { label: 'In a week', days: 7 },
  ];
  const suggestions = days
    .filter(({ days: ahead }, index) => days.findIndex((other) => other.days === ahead) === index)
    .map(({ label, days: ahead }) => {
      const date = new Date(today + ahead * DAY_MS).toISOString().slice(0, 10);
      return { label, value: `${date}T09:00` };
    });
  return { now: local, zone: zoneInWords(now, timeZone, language), suggestions };
}

function localTime(now: Date, timeZone: string): string {
  const part = localTimeParts(now, timeZone);
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

function zoneInWords(now: Date, timeZone: string, language: string): string {
  const format = dateFormat(language, timeZone, { timeZoneName: 'long' });
  return format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
