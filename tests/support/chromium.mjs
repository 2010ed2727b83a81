// Plain JavaScript: tests/run.mjs needs it before anything is installed.
import { existsSync } from 'node:fs';

/**
 * Paths where a Chromium may be. The headless shell comes first: the same engine without windows, which costs a test a
 * third less processor time.
 */
export const chromiumPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** @returns undefined without a Chromium */
export const findChromium = () => chromiumPlaces.find((file) => existsSync(file));
