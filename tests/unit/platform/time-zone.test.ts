import { describe, expect, it } from 'vitest';
import { occurrences } from '#app/admin/times/local.ts';
import { repeatedHourOffset } from '#app/platform/time/repeated-hour.ts';
import {
  isTimeZone,
  readLocalTime,
  secondOccurrence,
  shiftInstant,
  startOfDay,
  toLocalTime,
} from '#app/platform/time/time-zone.ts';

const instant = (value: string) => ({ ok: true, instant: new Date(value) });
const skipped = { ok: false, reason: 'skipped' };
const malformed = { ok: false, reason: 'malformed' };

describe('a local time in a zone', () => {
  it.each([
    // Europe: forward on 29 March 2026 at 02:00, back on 25 October 2026 at 03:00.
    ['Europe/Berlin', '2026-03-29T01:59', instant('2026-03-29T00:59:00Z')],
    ['Europe/Berlin', '2026-03-29T02:00', skipped],
    ['Europe/Berlin', '2026-03-29T02:59', skipped],
    ['Europe/Berlin', '2026-03-29T03:00', instant('2026-03-29T01:00:00Z')],
    ['Europe/Berlin', '2026-10-25T01:59', instant('2026-10-24T23:59:00Z')],
    ['Europe/Berlin', '2026-10-25T02:30', instant('2026-10-25T00:30:00Z')],
    ['Europe/Berlin', '2026-10-25T03:00', instant('2026-10-25T02:00:00Z')],
    // America: forward on 8 March 2026, back on 1 November 2026, both at 02:00.
    ['America/New_York', '2026-03-08T01:59', instant('2026-03-08T06:59:00Z')],
    ['America/New_York', '2026-03-08T02:30', skipped],
    ['America/New_York', '2026-03-08T03:00', instant('2026-03-08T07:00:00Z')],
    ['America/New_York', '2026-11-01T01:30', instant('2026-11-01T05:30:00Z')],
    ['America/New_York', '2026-11-01T02:00', instant('2026-11-01T07:00:00Z')],
    // Lord Howe moves by half an hour: forward on 4 October 2026 at 02:00, back on 5 April 2026 at 02:00.
    ['Australia/Lord_Howe', '2026-10-04T01:59', instant('2026-10-03T15:29:00Z')],
    ['Australia/Lord_Howe', '2026-10-04T02:00', skipped],
    ['Australia/Lord_Howe', '2026-10-04T02:29', skipped],
    ['Australia/Lord_Howe', '2026-10-04T02:30', instant('2026-10-03T15:30:00Z')],
    ['Australia/Lord_Howe', '2026-04-05T01:29', instant('2026-04-04T14:29:00Z')],
    ['Australia/Lord_Howe', '2026-04-05T01:30', instant('2026-04-04T14:30:00Z')],
    ['Australia/Lord_Howe', '2026-04-05T01:45', instant('2026-04-04T14:45:00Z')],
    ['Australia/Lord_Howe', '2026-04-05T02:00', instant('2026-04-04T15:30:00Z')],
    // No change of clocks at all.
    ['Asia/Kolkata', '2026-03-29T02:30', instant('2026-03-28T21:00:00Z')],
    ['UTC', '2026-03-29T02:30', instant('2026-03-29T02:30:00Z')],
    // A day that a country left out, and midnight that a clock change skips.
    ['Pacific/Apia', '2011-12-30T12:00', skipped],
    ['America/Sao_Paulo', '2018-11-04T00:00', skipped],
    // In UTC these are the years 10000 and 0.
    ['America/New_York', '9999-12-31T23:59', malformed],
    ['Asia/Tokyo', '0001-01-01T00:00', malformed],
  ])('%s %s', (timeZone, local, expected) => {
    expect(readLocalTime(local, timeZone)).toEqual(expected);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC'])(
    'of instants all over a year in %s comes back as the same instant, or as the first of two',
    (timeZone) => {
      for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2027, 0, 1); time += 7 * 30 * 60_000) {
        const reading = readLocalTime(toLocalTime(new Date(time), timeZone), timeZone);
        if (!reading.ok) throw new Error(`${new Date(time).toISOString()} is ${reading.reason}`);
        const earlierBy = time - reading.instant.getTime();
        expect([0, 30 * 60_000, 60 * 60_000]).toContain(earlierBy);
        expect(toLocalTime(reading.instant, timeZone)).toBe(toLocalTime(new Date(time), timeZone));
      }
    },
  );

  it('drops seconds', () => {
    expect(readLocalTime('2026-11-20T08:00:59.9', 'UTC')).toEqual(instant('2026-11-20T08:00:00Z'));
  });

  it.each([
    '',
    'tomorrow',
    '2026-11-20',
    '2026-02-30T08:00',
    '2026-13-01T08:00',
    '2026-11-20T24:00',
    '2026-11-20T08:60',
    '2026-11-20 08:00',
    '2026-11-20T08:00Z',
    '0000-01-01T00:00',
  ])('refuses “%s”', (value) => {
    expect(readLocalTime(value, 'UTC')).toEqual({ ok: false, reason: 'malformed' });
  });
});

describe('a shift', () => {
  const shift = (from: string, by: { days?: number; minutes?: number }, zone = 'Europe/Berlin') =>
    shiftInstant(new Date(from), by, zone).toISOString();

  it('by days keeps the time on the wall across a clock change', () => {
    expect(shift('2026-10-24T06:00:00.000Z', { days: 1 })).toBe('2026-10-25T07:00:00.000Z');
    expect(shift('2026-10-25T07:00:00.000Z', { days: -1 })).toBe('2026-10-24T06:00:00.000Z');
    expect(shift('2026-03-28T07:00:00.000Z', { days: 7 })).toBe('2026-04-04T06:00:00.000Z');
  });

  it('by minutes is exact, and out of a skipped hour goes forward', () => {
    expect(shift('2026-10-25T00:30:00.000Z', { minutes: 60 })).toBe('2026-10-25T01:30:00.000Z');
    expect(shift('2026-03-28T01:30:00.000Z', { days: 1 })).toBe('2026-03-29T01:30:00.000Z');
  });
});

describe('zones and days', () => {
  it('knows IANA names only', () => {
    for (const name of ['Europe/Berlin', 'UTC', 'Asia/Kolkata']) expect(isTimeZone(name)).toBe(true);
    for (const name of ['', '+02:00', 'Mars/Olympus', 'Europe/']) expect(isTimeZone(name)).toBe(false);
  });

  it('begins a day at its first moment', () => {
    expect(startOfDay('2018-11-04', 'America/Sao_Paulo')?.toISOString()).toBe('2018-11-04T03:00:00.000Z');
    expect(startOfDay('2026-11-20', 'Europe/Berlin')?.toISOString()).toBe('2026-11-19T23:00:00.000Z');
    expect(startOfDay('2026-02-30', 'UTC')).toBeNull();
  });
});

it.each([
  ['Europe/Berlin', '2026-10-25T02:30', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']],
  ['America/New_York', '2026-11-01T01:59', ['2026-11-01T05:59:00Z', '2026-11-01T06:59:00Z']],
  ['Australia/Lord_Howe', '2026-04-05T01:45', ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z']],
  ['Europe/Berlin', '2026-10-25T03:00', ['2026-10-25T02:00:00Z']],
  ['Europe/Berlin', '2026-03-29T02:30', []],
  ['UTC', '2026-10-25T02:30', ['2026-10-25T02:30:00Z']],
])('%s %s occurs as often as browser and server say', (timeZone, local, expected) => {
  const instants = expected.map((text) => new Date(text));
  expect(occurrences(local, timeZone)).toEqual(instants);
  for (const instant of instants)
    expect(secondOccurrence(instant, timeZone)).toEqual(instants.length === 2 ? instants[1] : null);
});

it.each([
  ['Europe/Berlin', '2026-10-25T00:30:00Z', 'GMT+2'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', 'GMT+1'],
  ['Europe/Berlin', '2026-10-24T23:59:00Z', null],
  ['Europe/Berlin', '2026-10-25T02:00:00Z', null],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', null],
  ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', 'GMT+11'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', 'GMT+10:30'],
  ['Australia/Lord_Howe', '2026-04-04T14:29:00Z', null],
  ['Antarctica/Troll', '2026-10-25T00:30:00Z', 'GMT+2'],
  ['Antarctica/Troll', '2026-10-25T01:30:00Z', 'GMT+0'],
  ['Antarctica/Troll', '2026-10-25T03:00:00Z', null],
  ['UTC', '2026-10-25T00:30:00Z', null],
])('in %s %s is said to be in the zone %s', (timeZone, instant, offset) => {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone });
  expect(repeatedHourOffset(new Date(instant), { timeZone, language: 'en' }, format)).toBe(offset);
});
