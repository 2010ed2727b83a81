import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the delay is sampled. What holds the event loop for longer is seen, as up to this much less than it was. */
const SAMPLED_MS = 5;
const EVERY_MS = 1_000;

/**
 * Tells once a second for how long the event loop was held at the longest within that second. Readers of every page
 * wait while it is held.
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
