import type { Backfill } from './backfill.server.ts';

/** The backfills of all migrations. An entry stays as long as its migration exists. */
export const backfills: readonly Backfill[] = [];
