// How every bench says what it measured: a line on the screen, and a row for the table of `npm run bench`.
import { appendFileSync } from 'node:fs';

/** What a figure has to hold; without either it is for information. */
export interface Wanted {
  atMost?: number;
  atLeast?: number;
}

/** Rounded as people read it: `0.97`, `4.2`, `358`. */
function shortNumber(value: number): string {
  const digits = Math.abs(value) < 3 ? 2 : Math.abs(value) < 30 ? 1 : 0;
  return value.toFixed(digits);
}

/**
 * Prints a figure with what was wanted of it.
 * @param detail what it was made from, such as rates in absolute numbers
 */
export function report(what: string, value: number, wanted: Wanted = {}, detail = ''): void {
  const { atMost = Infinity, atLeast = -Infinity } = wanted;
  const limits = [
    ...(wanted.atLeast === undefined ? [] : [`at least ${wanted.atLeast}`]),
    ...(wanted.atMost === undefined ? [] : [`at most ${wanted.atMost}`]),
  ].join(', ');
  const verdict = limits === '' ? '' : value >= atLeast && value <= atMost ? 'holds' : 'NOT MET';
  const row = { what, value: shortNumber(value), wanted: limits, verdict, detail };
  process.stdout.write(lineOf(row));
  if (process.env.BENCH_REPORT) appendFileSync(process.env.BENCH_REPORT, `${JSON.stringify(row)}\n`);
}

function lineOf(row: {
  what: string;
  value: string;
  wanted: string;
  verdict: string;
  detail: string;
}): string {
  const cells = [
    row.what.padEnd(64),
    row.value.padStart(8),
    row.verdict.padEnd(8),
    row.wanted.padEnd(14),
    row.detail,
  ];
  return `${cells.join('  ').trimEnd()}\n`;
}
