// Loaded before a server: its clock is wrong by as many milliseconds as the file CLOCK_SHIFT says, also after the file changes.
import { readFileSync } from 'node:fs';

const READ_MS = 100;
const RealDate = Date;
let shift = 0;
let readAt = -Infinity;

const now = () => {
  if (performance.now() - readAt > READ_MS) {
    shift = Number(readFileSync(process.env.CLOCK_SHIFT, 'utf8')) || 0;
    readAt = performance.now();
  }
  return RealDate.now() + shift;
};

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
  static now = now;
};
