import { randomUUID } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { AppError } from '#app/platform/errors.ts';
import {
  INDEX_NAME,
  type CallOptions,
  type IndexBuild,
  type IndexEntry,
  type IndexState,
  type SearchDocument,
  type SearchEngine,
} from '#app/search/engine.ts';
import { KnownTerms } from './matches.server.ts';
import { SearchFile } from './file.server.ts';
import { searchIndex } from './index.server.ts';
import {
  createTables,
  dropTables,
  hasTables,
  indexId,
  indexNames,
  renameTables,
  SCHEMA_VERSION,
  setIndexId,
  gatherWords,
  removeDocuments,
  writeDocuments,
} from './tables.server.ts';
import { Vocabulary } from './vocabulary.server.ts';

const TIMEOUT_MS = 5_000;
const ENTRIES_PAGE = 1_000;
// A rebuild drops abandoned tables with this prefix only: the others may be another program's.
const BUILD_PREFIX = 'build_';
// Documents of a build in one transaction. Each transaction ends with a part of the index, and parts have to be merged.
const BUILD_DOCUMENTS = 1_000;
const BUILD_CHARACTERS = 4_000_000;

/** The embedded engine: SQLite FTS5 in a file of its own, shared by the server and commands. */
export function createEmbeddedEngine(path: string): SearchEngine {
  const file = new SearchFile(path);
  const memory = { vocabulary: new Vocabulary(), terms: new KnownTerms() };

  const onIndex =
    (kind: 'read' | 'write') =>
    <T>(work: (db: BetterSqlite3.Database) => T | Promise<T>, call?: CallOptions): Promise<T> => {
      if (!file.exists()) return Promise.reject(noIndex());
      return file[kind]((db) => {
        if (!hasTables(db, INDEX_NAME)) throw noIndex();
        return work(db);
      }, call?.timeoutMs ?? TIMEOUT_MS);
    };
  const [read, write] = [onIndex('read'), onIndex('write')];

  return {
    async describe(call) {
      if (!file.exists()) return null;
      try {
        return await file.read(stateOf, call?.timeoutMs ?? TIMEOUT_MS);
      } catch (error) {
        // The damaged file has been removed.
        if (!file.exists()) return null;
        throw error;
      }
    },
    createIndex: (call) => file.write((db) => ensureIndex(db), call?.timeoutMs ?? TIMEOUT_MS),
    upsert: (documents, call) =>
      write(async (db) => {
        await writeDocuments(db, INDEX_NAME, documents);
        return [];
      }, call),
    remove: (ids, call) => write((db) => removeDocuments(db, INDEX_NAME, ids), call),
    search: (query, call) => read((db) => searchIndex(db, memory, query), call),
    indexVersion: () => file.version(),
    async *entries() {
      if (!(await this.describe())) return;
      let after = 0;
      for (;;) {
        const rows = await read((db) => readEntries(db, after));
        if (rows.length === 0) return;
        yield* rows;
        after = rows.at(-1)!.number;
      }
    },
    beginBuild: () => beginBuild(file),
    async health(call) {
      return (await this.describe(call)) ? 'ok' : 'missing';
    },
    close: () => file.close(),
  };
}

/** Begins a new index in tables with other names. The swap renames both indexes in one transaction. */
async function beginBuild(file: SearchFile): Promise<IndexBuild> {
  const name = `${BUILD_PREFIX}${randomUUID().replaceAll('-', '_')}`;
  const onFile = (work: (db: BetterSqlite3.Database) => void): Promise<void> =>
    file.write(work, TIMEOUT_MS, { durable: false });
  await onFile((db) => {
    // This rebuild has the lease, so every other build is abandoned.
    for (const other of indexNames(db)) if (other.startsWith(BUILD_PREFIX)) dropTables(db, other);
    if (!hasTables(db, INDEX_NAME)) dropTables(db, INDEX_NAME);
    createTables(db, name);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
  const onBuild = <T>(
    work: (db: BetterSqlite3.Database) => T | Promise<T>,
    { durable = false } = {},
  ): Promise<T> =>
    file.write(
      (db) => {
        if (!hasTables(db, name))
          throw new AppError('conflict', 'Another rebuild of the search index took over.');
        return work(db);
      },
      TIMEOUT_MS,
      { durable },
    );
  let waiting: SearchDocument[] = [];
  let characters = 0;
  const writeWaiting = async () => {
    await onBuild((db) => writeDocuments(db, name, waiting, { isNew: true }));
    [waiting, characters] = [[], 0];
  };
  return {
    async add(documents) {
      waiting.push(...documents);
      for (const { body } of documents) characters += body.length;
      if (waiting.length >= BUILD_DOCUMENTS || characters >= BUILD_CHARACTERS) await writeWaiting();
    },
    async finish() {
      await writeWaiting();
      // In pages, so that other writers of the file have their turn in between.
      for (let after: string | null = ''; after !== null;) {
        const last: string = after;
        after = await onBuild((db) => gatherWords(db, name, last));
      }
      return onBuild((db) => db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number);
    },
    swap: async () => {
      const replaced = `${name}_replaced`;
      const hadIndex = await onBuild(
        (db) => {
          const isThere = hasTables(db, INDEX_NAME);
          if (isThere) renameTables(db, INDEX_NAME, replaced);
          renameTables(db, name, INDEX_NAME);
          setIndexId(db);
          return isThere;
        },
        { durable: true },
      );
      if (hadIndex) await onFile((db) => dropTables(db, replaced));
    },
    abandon: () => onFile((db) => dropTables(db, name)),
  };
}

function stateOf(db: BetterSqlite3.Database): IndexState | null {
  if (!hasTables(db, INDEX_NAME)) return null;
  // Every commit is durable, so the engine never loses a write.
  return { id: `embedded:${indexId(db)}`, documentCount: null };
}

function ensureIndex(db: BetterSqlite3.Database): void {
  if (hasTables(db, INDEX_NAME)) return;
  // Drops only the rest of this index: a rebuild may be filling another one.
  dropTables(db, INDEX_NAME);
  createTables(db, INDEX_NAME);
  setIndexId(db);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

function noIndex(): AppError {
  return new AppError('unavailable', 'There is no search index yet; the next trigger builds it.');
}

function readEntries(db: BetterSqlite3.Database, after: number): (IndexEntry & { number: number })[] {
  return db
    .prepare(
      `SELECT number, id, slug, hash FROM "${INDEX_NAME}" WHERE number > ? ORDER BY number LIMIT ${ENTRIES_PAGE}`,
    )
    .all(after) as (IndexEntry & { number: number })[];
}
