// Runs once in vitest's main process. Makes the template databases and the PostgreSQL server when the first test asks
// for them. All workers share these. Removes them at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { memoryFolder } from '#tests/support/memory-folder.ts';
import { startPostgres, type PostgresServer } from '#tests/support/postgres.ts';
import { prepareTemplate } from '#tests/support/template.ts';

export interface TestDatabases {
  /** A migrated and seeded SQLite file, to be copied. */
  sqlite: { file: string };
  /** A running PostgreSQL with a migrated and seeded database, to be named as `TEMPLATE`. */
  postgresql: { serverUrl: string; template: string };
}

declare module 'vitest' {
  export interface ProvidedContext {
    testDatabasesPort: number;
  }
}

export default async function setup(project: TestProject) {
  const databases = await sharedDatabases();
  project.provide('testDatabasesPort', databases.port);
  return databases.release;
}

interface SharedDatabases {
  port: number;
  /** Removes everything when the last project calls it. */
  release(): Promise<void>;
}

// vitest loads this file once a project; the databases exist once.
const key = Symbol.for('dateline.tests.databases');
const shared = globalThis as { [key]?: { databases: Promise<SharedDatabases>; users: number } };

function sharedDatabases(): Promise<SharedDatabases> {
  shared[key] ??= { databases: openDatabases(), users: 0 };
  shared[key].users += 1;
  return shared[key].databases;
}

async function openDatabases(): Promise<SharedDatabases> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-databases-'));
  let postgres: Promise<PostgresServer> | undefined;
  const made: { [Kind in keyof TestDatabases]?: Promise<TestDatabases[Kind]> } = {};
  const make = {
    async sqlite() {
      const file = path.join(folder, 'template.db');
      await prepareTemplate(`file:${file}`);
      return { file };
    },
    async postgresql() {
      postgres ??= memoryFolder().then((parent) => startPostgres({ parent }));
      const server = await postgres;
      await server.createDatabase('dateline_template');
      await prepareTemplate(server.urlOf('dateline_template'));
      return { serverUrl: server.urlOf('postgres'), template: 'dateline_template' };
    },
  };
  const answer = (kind: string): Promise<unknown> => {
    if (kind === 'sqlite') return (made.sqlite ??= make.sqlite());
    if (kind === 'postgresql') return (made.postgresql ??= make.postgresql());
    return Promise.reject(new Error(`Unknown database ${kind}`));
  };
  const { server, port } = await listen(answer);
  return {
    port,
    async release() {
      shared[key]!.users -= 1;
      if (shared[key]!.users > 0) return;
      shared[key] = undefined;
      server.close();
      if (postgres) await (await postgres).stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One line in (`sqlite` or `postgresql`), one line of JSON out. */
function listen(answer: (kind: string) => Promise<unknown>): Promise<{ server: Server; port: number }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let question = '';
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (chunk) => (question += String(chunk)));
    socket.on('end', () => {
      answer(question.trim()).then(
        (value) => socket.end(JSON.stringify({ value })),
        (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
      );
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      resolve({ server, port });
    });
  });
}
