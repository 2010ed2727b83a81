import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { takeDatabaseLock } from '#app/platform/database/process-lock.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { dialects } from '#tests/support/databases.ts';

describe.runIf(dialects.includes('postgresql'))('a lock between processes (postgresql)', () => {
  test('is held where the database ends transactions that send nothing', async () => {
    const app = await createTestApp({ dialect: 'postgresql' });
    const { database } = app.env;
    const admin = new pg.Client(database.url);
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
    await admin.query(`ALTER DATABASE ${rows[0]!.name} SET idle_in_transaction_session_timeout = 100`);
    await admin.end();
    const lock = await takeDatabaseLock(database, 'uploads', 'exclusive', 0);
    // A later transaction that sends nothing: when it has ended, the limit is over for the lock's as well.
    const idle = new pg.Client(database.url);
    await idle.connect();
    const ended = new Promise((resolve) => idle.on('error', resolve));
    await idle.query('BEGIN');
    await ended;
    expect(await takeDatabaseLock(database, 'uploads', 'exclusive', 0)).toBeUndefined();
    await lock!.release();
    await app.close();
  });
});
