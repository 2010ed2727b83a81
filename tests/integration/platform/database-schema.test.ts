import { expect, test } from 'vitest';
import { openDatabase } from '#app/platform/database/client.server.ts';
import { migrationsOf } from '#app/platform/database/migrations.server.ts';
import { databaseTarget, type Dialect } from '#app/platform/env.server.ts';
import { migrationSql } from '#prisma/migration-sql.ts';
import { differenceFromModels } from '#prisma/schema-engine.ts';
import { createTestDatabase, describeOnBothDatabases } from '#tests/support/databases.ts';

describeOnBothDatabases('migrated schema', (dialect) => {
  test('equals the models', async () => {
    const database = await createTestDatabase(dialect);
    expect(await differenceFromModels(database.url)).toMatch(/^-- This is an empty migration\.\s*$/);
    await database.drop();
  });

  test('the comparison sees a missing index and a missing column', async () => {
    const database = await createTestDatabase(dialect);
    const db = await openDatabase(databaseTarget(database.url));
    await db.$executeRawUnsafe('DROP INDEX "posts_status_published_at_id_idx"');
    await db.$executeRawUnsafe('ALTER TABLE "site_state" DROP COLUMN "content_version"');
    await db.$disconnect();
    const sql = await differenceFromModels(database.url);
    expect(sql).toContain('posts_status_published_at_id_idx');
    expect(sql).toContain('content_version');
    await database.drop();
  });
});

test('the SQL of a new migration adds columns and indexes to the table, which keeps its triggers', async () => {
  const database = await createTestDatabase('sqlite');
  const db = await openDatabase(databaseTarget(database.url));
  await db.$executeRawUnsafe('ALTER TABLE "posts" DROP COLUMN "email_preview"');
  await db.$executeRawUnsafe('DROP INDEX "posts_title_id_idx"');
  await db.$disconnect();
  expect(await migrationSql(database.url)).toBe(
    `ALTER TABLE "posts" ADD COLUMN "email_preview" TEXT NOT NULL DEFAULT '';\nCREATE INDEX "posts_title_id_idx" ON "posts"("title", "id");\n`,
  );
  await database.drop();
});

test('both databases have migrations of the same names', () => {
  const names = (dialect: Dialect) => migrationsOf(dialect).map(({ name }) => name);
  expect(names('sqlite')).toEqual(names('postgresql'));
  expect(names('sqlite').length).toBeGreaterThan(0);
});
