import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';
import { atFileEnd } from './file-end.ts';

// Without these Chromium looks up hosts of its maker's at every start, which a closed network refuses.
const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const args = [...quiet, '--disable-component-update', '--disable-sync'];

let launched: Promise<Browser> | undefined;

/** The test file's browser: Debian's Chromium, started at the first call and closed at the end. */
export function browser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium was found. `npm run test:browser` installs it, or says how to.');
  launched ??= chromium.launch({
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    args,
  });
  return launched;
}

atFileEnd(async () => {
  await (await launched)?.close();
  launched = undefined;
});
