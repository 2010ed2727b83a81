import { describe, expect, it } from 'vitest';
import { nextExpectedAt, selectRemovable, type KeepRules } from '#app/backup/write/retention.ts';

/** What is kept of backups at these times; the proven ones are marked with `!`. */
function kept(times: string[], keep: KeepRules): string[] {
  const backups = times.map((time) => ({
    name: time,
    createdAt: new Date(`${time.replace('!', '')}Z`),
    proven: time.endsWith('!'),
  }));
  const removable = selectRemovable(backups, keep);
  return backups.filter((backup) => !removable.includes(backup)).map(({ name }) => name);
}

describe('retention', () => {
  it('keeps everything without a rule, also with a rule of none', () => {
    const times = ['2026-11-01T08:00', '2026-11-01T09:00'];
    for (const keep of [{}, { daily: 0 }, { daily: 0, weekly: 0, monthly: 0 }])
      expect(kept(times, keep)).toEqual(times);
  });

  it('keeps the newest of as many days as the rule says, in UTC', () => {
    const times = ['2026-11-18T12:00', '2026-11-19T23:59', '2026-11-20T00:00', '2026-11-20T08:00'];
    expect(kept(times, { daily: 1 })).toEqual(['2026-11-20T08:00']);
    expect(kept(times, { daily: 2 })).toEqual(['2026-11-19T23:59', '2026-11-20T08:00']);
    expect(kept(times, { daily: 3 })).toEqual(['2026-11-18T12:00', '2026-11-19T23:59', '2026-11-20T08:00']);
  });

  it('counts weeks from Monday to Sunday, also over the end of a year', () => {
    // 28 December 2026 is a Monday, 3 January 2027 a Sunday.
    const times = ['2026-12-27T23:59', '2026-12-28T00:00', '2027-01-03T23:59', '2027-01-04T00:00'];
    expect(kept(times, { weekly: 3 })).toEqual(['2026-12-27T23:59', '2027-01-03T23:59', '2027-01-04T00:00']);
  });

  it('counts months', () => {
    const times = ['2025-12-31T23:59', '2026-01-01T00:00', '2026-01-31T23:59', '2026-02-01T00:00'];
    expect(kept(times, { monthly: 3 })).toEqual(['2025-12-31T23:59', '2026-01-31T23:59', '2026-02-01T00:00']);
  });

  it('keeps the last backup that was proven, whatever the rules say', () => {
    const times = ['2026-11-01T08:00!', '2026-11-02T08:00!', '2026-11-03T08:00', '2026-11-04T08:00'];
    expect(kept(times, { daily: 1 })).toEqual(['2026-11-02T08:00!', '2026-11-04T08:00']);
  });

  it('expects the next backup within one and a half of the shortest period', () => {
    const now = new Date('2026-11-01T00:00:00Z');
    const hoursUntilNext = (keep: KeepRules) => {
      const next = nextExpectedAt(now, keep);
      return next && (next.getTime() - now.getTime()) / 3_600_000;
    };
    expect(hoursUntilNext({ daily: 7, weekly: 4 })).toBe(1.5 * 24);
    expect(hoursUntilNext({ weekly: 4, monthly: 6 })).toBe(1.5 * 7 * 24);
    expect(hoursUntilNext({ monthly: 6 })).toBe(1.5 * 31 * 24);
    expect(hoursUntilNext({ daily: 0 })).toBeNull();
  });
});
