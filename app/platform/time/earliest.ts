/** The earliest of some times, each as `Date.toISOString` writes it; null without a time. */
export function earliest(...times: (string | null)[]): string | null {
  // Such texts have the order of their times.
  return times.filter((time) => time !== null).sort()[0] ?? null;
}
