import type { Clock } from '#app/platform/clock.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { Database } from './client.server.ts';

/** A difference beyond this is worth a warning: posts would be published that much early or late. */
const CLOCK_SKEW_LIMIT_MS = 5_000;

const queries = {
  postgresql: `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS milliseconds`,
  sqlite: `SELECT (julianday('now') - 2440587.5) * 86400000.0 AS milliseconds`,
};

/** How far the database's clock is ahead of the process's, in milliseconds; negative when it is behind. */
export async function readClockSkew(app: { db: Database; clock: Clock; env: Env }): Promise<number> {
  const before = app.clock.now().getTime();
  const [row] = await app.db.$queryRawUnsafe<{ milliseconds: number }[]>(queries[app.env.database.dialect]);
  const after = app.clock.now().getTime();
  return Math.round(Number(row!.milliseconds) - (before + after) / 2);
}

/** True when the clocks differ so much that an operator must be told. */
export function isSkewed(skewMs: number): boolean {
  return Math.abs(skewMs) > CLOCK_SKEW_LIMIT_MS;
}
