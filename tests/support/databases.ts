import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { describe, inject } from 'vitest';
import type { Dialect } from '#app/platform/env.server.ts';
import type { TestDatabases } from '#tests/setup/test-databases.ts';
import { prepareTemplate } from './template.ts';
import { tempFolder } from './temp-folder.ts';

/** Both databases, or SQLite alone in most of what `npm test` runs and a part of what CI does (vitest.config.ts). */
export const dialects: readonly Dialect[] =
  process.env.DATELINE_TEST_DATABASES === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgresql'];

/**
 * One database at each commit, all of them at night: for tests that take long, of faults that both meet alike.
 * @param first the one that is tested at each commit
 */
export const firstDialect = (first: Dialect): readonly Dialect[] =>
  process.env.NIGHTLY ? dialects : dialects.filter((dialect) => dialect === first);

/** Runs the same tests against a real SQLite and, except in the quick run, a real PostgreSQL. */
export function describeOnBothDatabases(name: string, body: (dialect: Dialect) => void, on = dialects): void {
  for (const dialect of on) describe(`${name} (${dialect})`, () => body(dialect));
}

export interface TestDatabase {
  /** As `DATABASE_URL` takes it. */
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database for one test: migrated and seeded, or empty.
 * @param options.locale ICU locale whose rules PostgreSQL sorts by; without it, it sorts by bytes
 */
export async function createTestDatabase(
  dialect: Dialect,
  options: { empty?: boolean; locale?: string } = {},
): Promise<TestDatabase> {
  if (dialect === 'sqlite') {
    const file = path.join(await tempFolder(), 'test.db');
    if (!options.empty) await copyFile((await sharedDatabase('sqlite')).file, file);
    return { url: `file:${file}`, drop: async () => {} };
  }
  const { serverUrl, template } = await sharedDatabase('postgresql');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const locale = options.locale ? `LOCALE_PROVIDER icu ICU_LOCALE '${options.locale}'` : '';
  const from = options.empty || locale ? 'template0' : template;
  // Copies the template's files: that takes a third less processor time than to log each of its pages.
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY ${locale}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  if (locale) await prepareTemplate(url.href);
  return { url: url.href, drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

let connection: pg.Pool | undefined;

/** Uses one connection of the worker: a new one costs the server about 10 ms of processor time. */
async function onServer(url: string, sql: string): Promise<void> {
  // The server closes it, after the last test.
  connection ??= new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {});
  await connection.query(sql);
}

/** Asks vitest's main process (tests/setup/test-databases.ts) for what all workers share. */
function sharedDatabase<Kind extends keyof TestDatabases>(kind: Kind): Promise<TestDatabases[Kind]> {
  return new Promise((resolve, reject) => {
    const socket = connect(inject('testDatabasesPort'), '127.0.0.1', () => socket.end(kind));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('end', () => {
      const { value, error } = JSON.parse(text) as { value: TestDatabases[Kind]; error?: string };
      if (error === undefined) resolve(value);
      else reject(new Error(`The ${kind} test database could not be made: ${error}`));
    });
  });
}
