import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Database } from '#app/platform/database/client.server.ts';
import { codeMigrationTag, migrate, migrationsOf } from '#app/platform/database/migrations.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { createTestDatabase, describeOnBothDatabases, type TestDatabase } from '#tests/support/databases.ts';

let database: TestDatabase;
const useEmptyDatabase = (dialect: 'sqlite' | 'postgresql') => {
  beforeEach(async () => {
    database = await createTestDatabase(dialect, { empty: true });
  });
  afterEach(() => database.drop());
};

async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(databaseTarget(database.url));
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

const run = (sql: string) => withDatabase((db) => db.$executeRawUnsafe(sql));

/** True with every table, false with none; anything between is a half-applied migration. */
async function isMigrated(): Promise<boolean> {
  return withDatabase(async (db) => {
    const answers = await Promise.all(
      [() => db.user.count(), () => db.auditLog.count(), () => db.importJournal.count()].map((count) =>
        count().then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    return answers[0]!;
  });
}

/** Migrations that are recorded as done; none where there is no record yet. */
async function countApplied(): Promise<number> {
  return withDatabase(async (db) => {
    const done = `SELECT count(*) AS done FROM _prisma_migrations WHERE finished_at IS NOT NULL`;
    const [row] = await db.$queryRawUnsafe<{ done: number | bigint }[]>(done).catch(() => []);
    return Number(row?.done ?? 0);
  });
}

describeOnBothDatabases('migrations', (dialect) => {
  useEmptyDatabase(dialect);
  const names = migrationsOf(dialect).map(({ name }) => name);

  test('are applied once', async () => {
    expect(await migrate(database.url)).toEqual({
      migrationTag: codeMigrationTag(),
      appliedMigrations: names,
    });
    await run(`INSERT INTO settings (key, value, updated_at) VALUES ('kept', 'yes', '2026-11-20 08:00:00')`);
    expect(await migrate(database.url)).toEqual({ migrationTag: names.at(-1), appliedMigrations: [] });
    expect(await withDatabase((db) => db.setting.count())).toBe(1);
  });

  test('are recorded as Prisma records them', async () => {
    await migrate(database.url);
    const rows = await withDatabase((db) =>
      db.$queryRawUnsafe<Record<string, unknown>[]>(
        'SELECT migration_name, checksum, applied_steps_count, rolled_back_at FROM _prisma_migrations',
      ),
    );
    const expected = migrationsOf(dialect).map(({ name, checksum }) => ({
      migration_name: name,
      checksum,
      applied_steps_count: expect.anything() as unknown,
      rolled_back_at: null,
    }));
    expect(rows).toEqual(expected);
  });

  test('two processes at once: one applies, the other waits and finds nothing to do', async () => {
    const env = { DATABASE_URL: database.url };
    const results = await Promise.all([1, 2].map(() => runCommand(['db:migrate'], { env })));
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      results.map(() => ({ code: 0, stderr: '' })),
    );
    const applied = results.map((result) => result.json<{ appliedMigrations: string[] }>().appliedMigrations);
    expect(applied.sort((a, b) => a.length - b.length)).toEqual([[], names]);
    expect(await isMigrated()).toBe(true);
  });

  test('an edited migration is refused', async () => {
    await migrate(database.url);
    await run(`UPDATE _prisma_migrations SET checksum = 'another'`);
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: 'conflict',
      message: `Migration ${names[0]} was changed after it had been applied. Put the original migration.sql back.`,
    });
  });

  test('a migration that failed earlier is refused until it is resolved', async () => {
    await migrate(database.url);
    await run('UPDATE _prisma_migrations SET finished_at = NULL');
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('failed half-way in an earlier run') as unknown,
    });
  });

  test('a database of a newer version is refused', async () => {
    await migrate(database.url);
    await run(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ('next', 'x', '29990101000000_next', '2026-11-20 08:00:00', 1)`,
    );
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Install the newer version') as unknown,
    });
  });
});

describe('a migration that is killed half-way (sqlite)', () => {
  useEmptyDatabase('sqlite');

  test('leaves all or nothing, and the next run goes on', async () => {
    for (const delay of [0, 2, 5, 9, 14, 20]) {
      database = await createTestDatabase('sqlite', { empty: true });
      const { file } = databaseTarget(database.url) as { file: string };
      const script = startScript('bin/run.mjs', ['db:migrate'], { env: { DATABASE_URL: database.url } });
      while (!existsSync(`${file}.migrate-lock`)) await sleep(1);
      await sleep(delay);
      script.child.kill('SIGKILL');
      await script.ended;
      // Each migration is a transaction: a kill leaves some of them whole, and nothing of the next.
      const applied = await countApplied();
      expect(await isMigrated()).toBe(applied > 0);
      const { appliedMigrations } = await migrate(database.url);
      expect(appliedMigrations).toEqual(
        migrationsOf('sqlite')
          .map(({ name }) => name)
          .slice(applied),
      );
      expect(await isMigrated()).toBe(true);
    }
  });
});

describe('a user of the database with too few rights (postgresql)', () => {
  useEmptyDatabase('postgresql');

  test('is told to become its owner, and may migrate then', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const user = `few_${name}`;
    const runSql = async (sql: string) => {
      const server = new pg.Client({ connectionString: new URL('/postgres', database.url).href });
      await server.connect();
      await server.query(sql).finally(() => server.end());
    };
    await runSql(`CREATE ROLE ${user} LOGIN PASSWORD 'few'`);
    onTestFinished(() => runSql(`DROP ROLE ${user}`)); // after its database
    const url = Object.assign(new URL(database.url), { username: user, password: 'few' }).href;
    await expect(migrate(url)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/permission denied for .*owner of the database/),
    });
    await runSql(`ALTER DATABASE ${name} OWNER TO ${user}`);
    expect((await migrate(url)).appliedMigrations).toHaveLength(migrationsOf('postgresql').length);
  });
});

describe('a migration that is killed half-way (postgresql)', () => {
  useEmptyDatabase('postgresql');

  test('leaves nothing, and the next run goes on', async () => {
    // Another transaction that has made a table of the same name stops the migration in its middle.
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('BEGIN; CREATE TABLE "redirects" (id int)');
    const script = startScript('bin/run.mjs', ['db:migrate'], { env: { DATABASE_URL: database.url } });
    const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted`;
    while ((await blocker.query<{ count: number }>(waiting)).rows[0]!.count === 0) await sleep(10);
    script.child.kill('SIGKILL');
    await script.ended;
    await blocker.query('ROLLBACK');
    await blocker.end();
    expect(await isMigrated()).toBe(false);
    expect((await migrate(database.url)).appliedMigrations).toHaveLength(migrationsOf('postgresql').length);
    expect(await isMigrated()).toBe(true);
  });
});
