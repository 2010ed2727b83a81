// What becomes of a statement of PostgreSQL whose time limit is over while it waits for a lock.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { openDatabase, type Database } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { dialects } from '#tests/support/databases.ts';
import { at, keepChange, minute } from '#tests/support/releases.ts';

/** Long enough for the statements that wait for no lock, on a busy machine too. */
const LIMIT_MS = 5_000;
const updatedAt = new Date('2026-11-20T08:00:00Z');

describe.runIf(dialects.includes('postgresql'))('a statement that waits too long (postgresql)', () => {
  let app: TestApp;
  let db: Database;
  /** Holds the table of settings, as an import of a backup does. */
  let holder: pg.Client;
  beforeEach(async () => {
    app = await createTestApp({ dialect: 'postgresql' });
    db = await openDatabase(app.env.database, { statementTimeoutMs: LIMIT_MS });
    holder = new pg.Client(app.variables.DATABASE_URL);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE settings IN EXCLUSIVE MODE');
  });
  afterEach(async () => {
    await holder.end();
    await db.$disconnect();
    await app.close();
  });

  const write = (key: string) => db.setting.create({ data: { key, value: 'x', updatedAt } });
  const saveTwo = () =>
    inTransaction(db, async (tx) => {
      await tx.lease.create({ data: { name: 'test-first', holder: 'x', expiresAt: updatedAt } });
      await tx.setting.create({ data: { key: 'test-second', value: 'x', updatedAt } });
    });
  const otherSessions = async (condition: string) => {
    const { rows } = await holder.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
    );
    return rows[0]!.count;
  };

  test('fails, and nobody else gets its connection', async () => {
    for (let round = 0; round < 3; round += 1) {
      await expect(saveTwo()).rejects.toThrow('Query read timeout');
      expect(await db.siteState.count()).toBe(1);
    }
    await expect(write('test-alone')).rejects.toThrow('Query read timeout');
    expect(await db.siteState.count()).toBe(1);
  });

  test('no longer waits in the database then', async () => {
    await Promise.allSettled([saveTwo(), saveTwo()]);
    await expect.poll(() => otherSessions(`wait_event_type = 'Lock'`)).toBe(0);
    await expect.poll(() => otherSessions(`state = 'idle in transaction'`)).toBe(0);
  });

  test('is not committed with the next transaction when the lock is free again', async () => {
    await expect(saveTwo()).rejects.toThrow('Query read timeout');
    await holder.query('COMMIT');
    await expect.poll(() => otherSessions(`wait_event_type = 'Lock'`)).toBe(0);
    await inTransaction(db, (tx) =>
      tx.setting.create({ data: { key: 'test-third', value: 'x', updatedAt } }),
    );
    const stored = await app.db.setting.findMany({ where: { key: { startsWith: 'test-' } } });
    expect(stored.map(({ key }) => key)).toEqual(['test-third']);
    expect(await app.db.lease.count({ where: { name: 'test-first' } })).toBe(0);
  });

  test('is not committed outside a transaction either', async () => {
    await expect(write('test-alone')).rejects.toThrow('Query read timeout');
    await expect.poll(() => otherSessions(`wait_event_type = 'Lock'`)).toBe(0);
    await holder.query('COMMIT');
    expect(await app.db.setting.count({ where: { key: 'test-alone' } })).toBe(0);
  });

  test('blames no release where the database has a limit of its own', async () => {
    const fields = { title: 'A', slug: 'a' };
    const post = await createPost(app, { intent: 'publish', fields, editorId: null });
    const { id: releaseId } = await createRelease(app, {
      name: 'Friday',
      publishAt: at(1),
      step: 'schedule',
      by: byCommand,
    });
    await keepChange(app, releaseId, post, { title: 'B' });
    app.clock.advance(2 * minute);
    await holder.query('COMMIT; BEGIN; LOCK TABLE posts IN EXCLUSIVE MODE');
    const { rows } = await holder.query<{ name: string }>('SELECT current_database() AS name');
    const limit = (change: string) => app.db.$executeRawUnsafe(`ALTER DATABASE ${rows[0]!.name} ${change}`);
    await limit(`SET statement_timeout = ${LIMIT_MS}`);
    const late = await openDatabase(app.env.database);
    await expect(publishDue({ ...app, db: late }, 'command')).rejects.toThrow(
      /^Publishing stopped: canceling/,
    );
    await holder.query('COMMIT');
    expect(await app.db.release.findUnique({ where: { id: releaseId } })).toMatchObject({ problem: '' });
    await late.$disconnect();
    // A connection keeps the limit that it began with.
    await limit('RESET statement_timeout');
    const again = await openDatabase(app.env.database);
    expect((await publishDue({ ...app, db: again }, 'command')).affectedSlugs).toEqual(['a']);
    await again.$disconnect();
  });
});
