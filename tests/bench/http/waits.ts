import type { Waits } from './processes.ts';

/** From one time to another, as `Date.now()` tells it. */
export type Span = [from: number, to: number];

export async function spanOf(work: () => Promise<unknown>): Promise<Span> {
  const from = Date.now();
  await work();
  return [from, Date.now()];
}

/** How long the readers waited whose requests were due in these times. */
export function waitsIn(visits: Waits['visits'], spans: Span[]): number[] {
  const isIn = (due: number) => spans.some(([from, to]) => due >= from && due < to);
  return visits.flatMap(([due, wait]) => (isIn(due) ? [wait] : []));
}

/** The 99th of a hundred. */
export function at99(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * 0.99)]!;
}
