import { expect, test } from 'vitest';
import { newId } from '#app/platform/clock.ts';
import { fakeClock } from '#tests/support/clock.ts';

test('ids are UUIDv7 of the clock, unique and in the order of time', () => {
  const clock = fakeClock('2026-11-20T08:00:00.000Z');
  const ids = Array.from({ length: 100 }, () => newId(clock));
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-11-20T08:00:00.000Z'));
  }
  clock.advance(1);
  expect(newId(clock) > ids.toSorted().at(-1)!).toBe(true);
});
