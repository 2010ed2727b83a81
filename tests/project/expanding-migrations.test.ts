// A rolling upgrade and a step back run two releases on one schema (docs/decisions/025): migrations only expand, and none
// changes the rows of a large table: it would hold up every writer until it ends.
import { expect, it } from 'vitest';
import { migrationsOf } from '#app/platform/database/migrations.server.ts';
import { dialects } from '#tests/support/databases.ts';

/** Redefined a table of SQLite before the rule was checked. */
const exception = '20261122053641_keys_of_changes';

const allowed = [
  /^CREATE (SCHEMA|TABLE|VIEW|(UNIQUE )?INDEX|TRIGGER|(OR REPLACE )?FUNCTION)\b/i,
  /^(INSERT|UPDATE|WITH|SELECT|PRAGMA)\b/i,
  // A column that the release before does not know must fill itself.
  /^ALTER TABLE \S+ ADD COLUMN (?!.*\bNOT NULL\b(?!.*\bDEFAULT\b))/is,
  /^ALTER TABLE \S+ ADD CONSTRAINT \S+ FOREIGN KEY\b/i,
  /^DROP (INDEX|TRIGGER)\b/i,
];

/** Statements that take something from the release before. */
function shrinking(sql: string): string[] {
  return statementsOf(sql).filter((statement) => !allowed.some((pattern) => pattern.test(statement)));
}

function statementsOf(sql: string): string[] {
  const withoutComments = sql.replace(/^\s*--.*$/gm, '');
  // Bodies of triggers and functions hold semicolons of their own.
  const flat = withoutComments
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/^(CREATE TRIGGER\b.*?)\bBEGIN\b.*?\bEND;/gims, '$1;');
  return flat
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);
}

it.each([
  'DROP TABLE posts',
  'ALTER TABLE "posts" DROP COLUMN "excerpt"',
  'ALTER TABLE "posts" RENAME COLUMN "excerpt" TO "summary"',
  'ALTER TABLE "posts" RENAME TO "texts"',
  'ALTER TABLE "posts" ADD COLUMN "kind" TEXT NOT NULL',
  'ALTER TABLE "posts" ALTER COLUMN "excerpt" SET NOT NULL',
  'DELETE FROM "posts"',
  `CREATE TABLE "a" ("id" TEXT); ALTER TABLE "posts"\n DROP COLUMN "excerpt";`,
])('the check refuses: %s', (sql) => {
  expect(shrinking(sql)).toHaveLength(1);
});

it.each([
  'ALTER TABLE "posts" ADD COLUMN "kind" TEXT',
  `ALTER TABLE "posts" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'post'`,
  'CREATE TRIGGER "a" AFTER INSERT ON "posts" BEGIN DELETE FROM "b"; END;',
  'CREATE FUNCTION a() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM b; RETURN NULL; END $$;',
  '-- DROP TABLE posts;\nCREATE UNIQUE INDEX "a" ON "b"("c");',
])('the check lets pass: %s', (sql) => {
  expect(shrinking(sql)).toEqual([]);
});

it.each(dialects)('no migration takes anything from the release before (%s)', (dialect) => {
  const migrations = migrationsOf(dialect).filter(({ name }) => name !== exception);
  expect(migrations.length).toBeGreaterThan(5);
  expect(migrations.flatMap(({ name, sql }) => shrinking(sql).map((one) => `${name}: ${one}`))).toEqual([]);
});

/** The last migration that fills a large table. It stays: a change of its text changes its checksum. */
const LAST_FILLING = '20261124123500_media_by_source';

/** Statements that change as many rows as a site has. The counts of subscribers are a few rows, and came with these. */
function filling(sql: string): string[] {
  return statementsOf(sql).filter(
    (statement) =>
      /^(UPDATE|WITH|INSERT\b.*\bSELECT)\b/is.test(statement) &&
      !/^(UPDATE|INSERT INTO) "?(settings|site_state|subscriber_counts)\b/i.test(statement),
  );
}

it.each([
  ['UPDATE "posts" SET "excerpt" = \'\'', 1],
  ['INSERT INTO "post_counts"\nSELECT "list" FROM "posts"', 1],
  ['UPDATE "settings" SET "value" = \'1\' WHERE "key" = \'feed_items\'', 0],
  ['INSERT INTO "settings" VALUES (1)', 0],
  ['CREATE TRIGGER "a" AFTER INSERT ON "posts" BEGIN UPDATE "posts" SET "a" = 1; END;', 0],
])('the check of fillings: %s', (sql, count) => {
  expect(filling(sql)).toHaveLength(count);
});

it.each(dialects)('later migrations fill no large table (%s)', (dialect) => {
  const later = migrationsOf(dialect).filter(({ name }) => name > LAST_FILLING);
  expect(later.flatMap(({ name, sql }) => filling(sql).map((one) => `${name}: ${one}`))).toEqual([]);
});
