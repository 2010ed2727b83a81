import { afterEach, beforeEach, describe, expect, it, vi, type Mock, type MockInstance } from 'vitest';
import type { App } from '#app/app.ts';
import type { makeAvifCopies } from '#app/publishing/media/make-avif-copies.server.ts';
import { makeAvifAfterUploads } from '#app/web/media/avif-copies.server.ts';

const MINUTE_MS = 60_000;

const made = (waiting: number) => ({ pictures: 1, bytes: 1, failed: 0, waiting });

describe('AVIF copies after uploads', () => {
  /** The newest picture that has been uploaded. */
  let newest: { id: string; createdAt: Date } | null;
  let run: Mock<typeof makeAvifCopies>;
  let warn: Mock;
  let memory: MockInstance<() => number>;
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    memory = vi.spyOn(process, 'availableMemory').mockReturnValue(2 ** 30);
    newest = null;
    run = vi.fn<typeof makeAvifCopies>().mockResolvedValue(made(0));
    warn = vi.fn();
    const db = { media: { findFirst: () => Promise.resolve(newest) } };
    const clock = { now: () => new Date() };
    stop = makeAvifAfterUploads({ db, clock, log: { warn } } as unknown as App, run);
  });
  afterEach(() => {
    stop();
    memory.mockRestore();
    vi.useRealTimers();
  });

  const upload = (id: string) => (newest = { id, createdAt: new Date() });
  async function runsAfter(minutes: number): Promise<number> {
    await vi.advanceTimersByTimeAsync(minutes * MINUTE_MS);
    return run.mock.calls.length;
  }

  it('are made once there are a picture and enough memory', async () => {
    memory.mockReturnValue(100);
    expect(await runsAfter(16)).toBe(0);
    upload('first');
    // Too little memory.
    expect(await runsAfter(30)).toBe(0);
    memory.mockReturnValue(2 ** 30);
    expect(await runsAfter(15)).toBe(1);
  });

  it('are made again while pictures wait, also after a failure, and then no more', async () => {
    run.mockResolvedValueOnce(made(3)).mockRejectedValueOnce(new Error('disk full'));
    upload('first');
    // Some are left, then a run fails.
    expect(await runsAfter(15)).toBe(1);
    expect(await runsAfter(15)).toBe(2);
    expect(warn).toHaveBeenCalledWith({ reason: 'disk full' }, 'AVIF copies were not made');
    expect(await runsAfter(15)).toBe(3);
    expect(await runsAfter(60)).toBe(3);
  });

  it('are made some minutes after the last upload', async () => {
    upload('first');
    expect(await runsAfter(28)).toBe(1);
    upload('second');
    // The next check is too early, the one after it is not.
    expect(await runsAfter(3)).toBe(1);
    expect(await runsAfter(15)).toBe(2);
  });

  it('are made no more once the server stops, which ends a run', async () => {
    upload('first');
    expect(await runsAfter(15)).toBe(1);
    upload('second');
    stop();
    expect(await runsAfter(60)).toBe(1);
    expect(run.mock.calls[0]![1].signal!.aborted).toBe(true);
  });
});
