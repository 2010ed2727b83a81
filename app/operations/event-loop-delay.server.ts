import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two samples. A longer delay is measured up to this much too short. */
const SAMPLED_MS = 5;
const EVERY_MS = 1_000;

/**
 * Reports once a second the longest delay of the event loop within that second. All requests wait during such a delay.
 */
export function observeEventLoopDelay(observe: (seconds: number) => void): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLED_MS });
  delays.enable();
  setInterval(() => {
    // A sample is the time since the one before it, in nanoseconds.
    if (delays.count > 0) observe(Math.max(0, delays.max / 1e9 - SAMPLED_MS / 1e3));
    delays.reset();
  }, EVERY_MS).unref();
}
