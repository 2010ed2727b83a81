import { Temporal } from 'temporal-polyfill';
import { isTimeZone, startOfDay } from '#app/platform/time/time-zone.ts';
import type { PostStatus } from '#app/posts/fields/states.ts';

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

const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A date of a front matter: `2014-09-15` (midnight in the site's zone), with a time (in the site's zone), or with an
 * offset; also `2014/9/5`, `15 September 2014` and `Sep 15, 2014`. Null for anything else and for days that no calendar
 * has. A local time that a clock change skips means the moment after the change.
 */
export function readSourceDate(value: unknown, timeZone: string): Date | null {
  const match = pattern.exec(isoText(textOf(value).trim()));
  if (!match) return null;
  const [, day, time, offset] = match;
  if (time === undefined) return startOfDay(day!, timeZone);
  const clock = time.padStart(5, '0').replace(/^(\d):/, '0$1:');
  const utc = offset !== undefined && zoneOf(offset) === 'UTC' ? utcTime(day!, clock) : null;
  if (utc) return utc;
  try {
    const local = Temporal.PlainDateTime.from(`${day}T${clock}`, { overflow: 'reject' });
    const zoned = local.toZonedDateTime(offset === undefined ? timeZone : zoneOf(offset));
    return new Date(zoned.epochMilliseconds);
  } catch {
    return null;
  }
}

/** Reads the usual form without Temporal, which takes 60 times as long. Null for days and times that do not exist. */
function utcTime(day: string, clock: string): Date | null {
  const time = new Date(`${day}T${clock}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? time : null;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayFirst = /^(?:[a-z]+,?\s+)?(\d{1,2})(?:st|nd|rd|th)?\.?\s+([a-z]{3,9})\.?,?\s+(\d{4})(.*)$/i;
const monthFirst = /^(?:[a-z]+,\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(.*)$/i;

/** Converts the usual forms of a day to ISO 8601. Returns any other text unchanged. */
function isoText(written: string): string {
  const numbers = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/s.exec(written);
  if (numbers) return isoDay(numbers[1]!, Number(numbers[2]), numbers[3]!) + numbers[4]!;
  const [, first, second, year, rest] = dayFirst.exec(written) ?? monthFirst.exec(written) ?? [];
  if (first === undefined) return written;
  const [day, name] = /^\d/.test(first) ? [first, second!] : [second!, first];
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? written : isoDay(year!, month, day) + rest!;
}

function isoDay(year: string, month: number, day: string): string {
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The day in a path such as `2014/09/15/Rust-1.0`, as `YYYY-MM-DD`. */
export function dayInPath(path: string): string | null {
  const match = /(?:^|\/)(\d{4})\/(\d{1,2})\/(\d{1,2})(?=\/|$)/.exec(path);
  return match ? isoDay(match[1]!, Number(match[2]), match[3]!) : null;
}

/** The day at the beginning of a file's or folder's name, also as `2021-9-1`, and the rest of the name. */
export function dayInName(name: string): { day: string | null; rest: string } {
  const [, year, month, day, rest] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[-_ .]+(.+))?$/.exec(name) ?? [];
  const isDay = year !== undefined && Number(month) <= 12 && Number(day) <= 31;
  return isDay ? { day: isoDay(year, Number(month), day!), rest: rest ?? name } : { day: null, rest: name };
}

export interface PostState {
  status: PostStatus;
  publishedAt: Date | null;
}

/** The state of a post that its source shows to everybody from a date. Without one, a page is public and a post a draft. */
export function datedState(
  status: PostStatus,
  publishedAt: Date | null,
  { isPage, now }: { isPage: boolean; now: Date },
  warnings: string[],
): PostState {
  if (!publishedAt && isPage && status === 'published') return { status, publishedAt: now };
  if (!publishedAt) {
    warnings.push('No date: the post becomes a draft.');
    return { status: 'draft', publishedAt };
  }
  if (status === 'published' && publishedAt > now) {
    warnings.push('Published, but its date is in the future: the post is scheduled.');
    return { status: 'scheduled', publishedAt };
  }
  return { status, publishedAt };
}

// TOML dates are `Date`s whose ISO text has only the parts that were written.
function textOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return typeof value === 'string' ? value : '';
}

function zoneOf(offset: string): string {
  if (/^[a-z]+$/i.test(offset)) return 'UTC';
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
}
