import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '#tests/support/postgres.ts';

/** The place of one measure: an empty folder, and the address of a new empty database of that name. */
export interface Place {
  folder: string;
  newDatabase(name: string): Promise<string>;
}

/** Measures on SQLite, then on a PostgreSQL of its own; removes what both leave. */
export async function onBothDatabases(
  measure: (label: string, place: Place) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-'));
  const postgres = await startPostgres();
  try {
    await measure('SQLite', {
      folder,
      newDatabase: (name) => Promise.resolve(`file:${path.join(folder, name)}.db`),
    });
    await measure('PostgreSQL', {
      folder,
      newDatabase: async (name) => {
        await postgres.createDatabase(name);
        return postgres.urlOf(name);
      },
    });
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
