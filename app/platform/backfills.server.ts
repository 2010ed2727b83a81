import type { Backfill } from './backfill.server.ts';

/** The work in batches of all migrations that have some. An entry stays as long as its migration. */
export const backfills: readonly Backfill[] = [];
