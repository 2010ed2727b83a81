import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shortHour, shortTime } from '#app/admin/times/local.ts';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-24T08:00:00Z') }));
afterEach(() => vi.useRealTimers());

const there = { language: 'en', timeZone: 'Europe/Berlin' };

it('says the hour that was typed, also one that a clock change skips, and the year of any other than this one', () => {
  expect(shortTime('2026-11-25T09:30', there)).toBe('Wed, Nov 25, 9:30 AM');
  expect(shortTime('2027-03-28T02:30', there)).toBe('Sun, Mar 28, 2027, 2:30 AM');
  expect(shortTime('', there)).toBe('');
  expect([shortHour('2026-11-25T14:05', there), shortHour('', there)]).toEqual(['2:05 PM', '']);
  const german = { ...there, language: 'de' };
  expect(shortTime('2026-11-25T09:30', german)).toBe('Mi., 25. Nov., 09:30');
});
