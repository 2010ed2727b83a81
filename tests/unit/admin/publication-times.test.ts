import { expect, test } from 'vitest';
import { publicationTimes } from '#app/admin/times/publication-times.ts';

const berlin = { timeZone: 'Europe/Berlin', language: 'en' };
const valuesAt = (now: string) =>
  publicationTimes(new Date(now), berlin).suggestions.map(({ label, value }) => `${label}: ${value}`);

test('suggests nine o’clock by the site’s day, and each day once', () => {
  // In Berlin it is Friday already.
  expect(valuesAt('2026-11-26T23:30Z')).toEqual([
    'Tomorrow: 2026-11-28T09:00',
    'Monday: 2026-11-30T09:00',
    'In a week: 2026-12-04T09:00',
  ]);
  expect(valuesAt('2026-11-29T12:00Z')).toEqual([
    'Tomorrow: 2026-11-30T09:00',
    'In a week: 2026-12-06T09:00',
  ]);
  expect(valuesAt('2026-11-30T12:00Z')).toEqual(['Tomorrow: 2026-12-01T09:00', 'Monday: 2026-12-07T09:00']);
});

test('names the zone, and the time in it', () => {
  expect(publicationTimes(new Date('2026-07-01T22:05Z'), berlin)).toMatchObject({
    now: '2026-07-02T00:05',
    zone: 'Central European Summer Time',
  });
});
