import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ContentChanges } from '#app/web/cache/content-changes.ts';
import { watchPostgres } from '#app/web/cache/content-watch.server.ts';

const NOBODY = 'postgresql://nobody@127.0.0.1:1/none';

/** Looks that have begun, each with what ends it. */
let checks: ((version: number) => void)[];
let watch: ReturnType<typeof watchPostgres>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  checks = [];
  const $queryRaw = () =>
    new Promise((resolve) =>
      checks.push((version) => resolve([{ version, changeVersion: null, keys: null }])),
    );
  const app = { db: { $queryRaw } } as unknown as Parameters<typeof watchPostgres>[0];
  watch = watchPostgres(app, NOBODY, new ContentChanges());
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

it('nobody waits while a check takes long, for less than a second', async () => {
  const first = watch.version();
  checks[0]!(1);
  expect(await first).toBe(1);
  vi.advanceTimersByTime(300);
  expect([watch.version(), watch.version(), checks.length]).toEqual([1, 1, 2]);
  vi.advanceTimersByTime(500);
  const waiting = watch.version();
  expect(waiting).toEqual(expect.any(Promise));
  // The second check began half a second ago: what it finds may be too old for this request.
  expect(checks).toHaveLength(3);
  checks[1]!(2);
  await vi.waitFor(() => expect(watch.version()).toBe(2));
  checks[2]!(3);
  expect(await waiting).toBe(3);
  expect([watch.version(), checks.length]).toEqual([3, 3]);
});

it('whoever reads after this process has written waits for a check that began later', async () => {
  const before = watch.version();
  watch.expire();
  const after = watch.version();
  expect(checks).toHaveLength(2);
  checks[1]!(2);
  expect(await after).toBe(2);
  checks[0]!(1);
  await before;
  expect(watch.version()).toBe(2);
});

it('says how long ago a check succeeded, also after this process has written', async () => {
  expect(watch.checkAge()).toBe(Infinity);
  const first = watch.version();
  checks[0]!(1);
  await first;
  vi.advanceTimersByTime(300_000);
  watch.expire();
  expect(watch.checkAge()).toBe(300_000);
});
