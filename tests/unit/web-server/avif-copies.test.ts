import { afterEach, expect, it, vi } from 'vitest';
import type { App } from '#app/app.ts';
import { makeAvifAfterUploads, type MakeAvif } from '#app/web-server/avif-copies.server.ts';

const MINUTE_MS = 60_000;

afterEach(() => vi.useRealTimers());

it('makes AVIF copies once, some minutes after the last upload, and again while pictures wait', async () => {
  vi.useFakeTimers({ now: 0 });
  const memory = vi.spyOn(process, 'availableMemory').mockReturnValue(100);
  let newest: { id: string; createdAt: Date } | null = null;
  const db = { media: { findFirst: () => Promise.resolve(newest) } };
  const clock = { now: () => new Date() };
  const run = vi
    .fn<MakeAvif>()
    .mockResolvedValueOnce(3)
    .mockRejectedValueOnce(new Error('killed'))
    .mockResolvedValue(0);
  const warn = vi.fn();
  const stop = makeAvifAfterUploads({ db, clock, log: { warn } } as unknown as App, run);
  const runsAfter = async (minutes: number) => {
    await vi.advanceTimersByTimeAsync(minutes * MINUTE_MS);
    return run.mock.calls.length;
  };
  expect(await runsAfter(16)).toBe(0);
  newest = { id: 'first', createdAt: new Date() };
  // Too little memory.
  expect(await runsAfter(30)).toBe(0);
  memory.mockReturnValue(2 ** 30);
  expect(await runsAfter(15)).toBe(1);
  // Some were left, then the command failed.
  expect(await runsAfter(15)).toBe(2);
  expect(warn).toHaveBeenCalledWith({ reason: 'killed' }, 'AVIF copies were not made');
  expect(await runsAfter(15)).toBe(3);
  expect(await runsAfter(60)).toBe(3);
  await vi.advanceTimersByTimeAsync(13 * MINUTE_MS);
  newest = { id: 'second', createdAt: new Date() };
  // The next look is too early, the one after it is not.
  expect(await runsAfter(3)).toBe(3);
  expect(await runsAfter(15)).toBe(4);
  newest = { id: 'third', createdAt: new Date() };
  stop();
  expect(await runsAfter(60)).toBe(4);
  expect(run.mock.calls[0]![0].aborted).toBe(true);
});
