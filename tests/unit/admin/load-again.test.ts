import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadAgain } from '#app/admin/views.tsx';

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('code that cannot be loaded is asked for less and less often, and its failure is logged once', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const askedAt: number[] = [];
  const loaded = loadAgain(() => {
    askedAt.push(Date.now() / 1000);
    return askedAt.length < 9 ? Promise.reject(new Error('offline')) : Promise.resolve('code');
  });
  await vi.advanceTimersByTimeAsync(300_000);
  expect(await loaded).toBe('code');
  expect(askedAt).toEqual([0, 3, 9, 21, 45, 93, 153, 213, 273]);
  expect(warned).toHaveBeenCalledTimes(1);
});
