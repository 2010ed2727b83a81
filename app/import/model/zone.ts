import { isTimeZone } from '#app/platform/time/time-zone.ts';

/**
 * The zone of times that name none: that of the old site's configuration, else this site's.
 * @param written as in the configuration; `''` without one
 * @param ours IANA name of this site's zone
 */
export function sourceZone(written: string, ours: string): { timeZone: string; notes: string[] } {
  if (written === '' || isSameZone(written, ours)) return { timeZone: ours, notes: [] };
  if (!isTimeZone(written))
    return {
      timeZone: ours,
      notes: [`The old site’s time zone “${written.slice(0, 100)}” is unknown: times were read in ${ours}.`],
    };
  return {
    timeZone: written,
    notes: [
      `Times without an offset were read in ${written}, as the old site’s configuration says. This site shows times in ${ours}.`,
    ],
  };
}

/** True for two names of one zone, such as `UTC` and `Etc/UTC`. */
function isSameZone(one: string, other: string): boolean {
  return isTimeZone(one) && nameOf(one) === nameOf(other);
}

function nameOf(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
}
