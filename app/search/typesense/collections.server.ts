import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { inChunksByWeight } from '#app/platform/jobs/event-loop.server.ts';
import {
  INDEX_NAME,
  type IndexBuild,
  type DocumentFailure,
  type SearchDocument,
} from '#app/search/engine.ts';
import { TypesenseRefusal, type TypesenseConnection, isRetryableStatus } from './client.server.ts';
import { collectionAnswer, schemaOf, importAnswer, toStored } from './schema.ts';

/** Long, since nobody waits for a batch of a rebuild. */
const BUILD_TIMEOUT_MS = 60_000;
/** How long a rebuild waits for a node that takes no writes. */
const BUSY_MS = 15_000;
const BUSY_PAUSE_MS = 250;
/** How long a node of a cluster may lack what another one has taken. Measured: half a second. */
const LATE_MS = 3_000;
const PREFIX = `${INDEX_NAME}_`;

/** Creates an empty collection and points the alias to it. Drops the collection that the alias named before. */
export async function createIndex(connection: TypesenseConnection, timeoutMs: number): Promise<void> {
  const before = await aliasTarget(connection, timeoutMs);
  const name = await createCollection(connection, timeoutMs);
  await pointAlias(connection, name, timeoutMs);
  if (before) await dropCollection(connection, before, timeoutMs);
}

/**
 * Begins a new collection beside the current one. `published_posts` is never the name of a collection, since an alias
 * cannot have one.
 */
export async function beginBuild(connection: TypesenseConnection): Promise<IndexBuild> {
  const current = await aliasTarget(connection, BUILD_TIMEOUT_MS);
  for (const name of await collectionNames(connection)) {
    if (name === INDEX_NAME)
      throw new AppError(
        'conflict',
        `Typesense has a collection named ${INDEX_NAME}; that name must be free for an alias. Delete the collection.`,
      );
    // This rebuild has the lease, so every other build is abandoned.
    if (name.startsWith(PREFIX) && name !== current) await dropCollection(connection, name, BUILD_TIMEOUT_MS);
  }
  const name = await createCollection(connection, BUILD_TIMEOUT_MS);
  let added = 0;
  return {
    async add(documents) {
      const [refused] = await unlessDropped(() =>
        retrying(() => importDocuments(connection, name, documents, BUILD_TIMEOUT_MS)),
      );
      if (refused)
        throw new AppError('unavailable', `Typesense refused post ${refused.id}: ${refused.reason}`);
      added += documents.length;
    },
    finish: () => unlessDropped(() => countOf(connection, name, added)),
    async swap() {
      const replaced = await aliasTarget(connection, BUILD_TIMEOUT_MS);
      await pointAlias(connection, name, BUILD_TIMEOUT_MS);
      if (replaced && replaced !== name) await dropCollection(connection, replaced, BUILD_TIMEOUT_MS);
    },
    abandon: () => dropCollection(connection, name, BUILD_TIMEOUT_MS),
  };
}

/**
 * The number of documents of a collection. Waits for a node that does not know all of them, or the collection, yet.
 * @throws TypesenseRefusal 404 if there is no such collection
 */
async function countOf(connection: TypesenseConnection, name: string, expected: number): Promise<number> {
  const started = performance.now();
  const read = () => connection.call(BUILD_TIMEOUT_MS, (client) => client.collections(name).retrieve());
  for (;;) {
    const isOver = performance.now() - started > LATE_MS;
    const collection = await (isOver ? read() : orNull(read));
    const count = collection && collectionAnswer.parse(collection).num_documents;
    if (count !== null && (isOver || count === expected)) return count;
    await sleep(BUSY_PAUSE_MS);
  }
}

// A node that is busy for a moment must not end a long rebuild.
async function retrying<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOver = performance.now() - started > BUSY_MS;
      if (isOver || !isAppError(error) || error.code !== 'unavailable') throw error;
      await sleep(BUSY_PAUSE_MS);
    }
  }
}

// Only a later rebuild drops the collection of a running one.
async function unlessDropped<T>(work: () => Promise<T>): Promise<T> {
  const result = await orNull(work);
  if (result === null) throw new AppError('conflict', 'Another rebuild of the search index took over.');
  return result;
}

async function createCollection(connection: TypesenseConnection, timeoutMs: number): Promise<string> {
  const name = `${PREFIX}${Math.round(performance.timeOrigin + performance.now())}_${randomBytes(3).toString('hex')}`;
  await connection.call(timeoutMs, (client) => client.collections().create(schemaOf(name)));
  return name;
}

async function pointAlias(connection: TypesenseConnection, name: string, timeoutMs: number): Promise<void> {
  await connection.call(timeoutMs, (client) =>
    client.aliases().upsert(INDEX_NAME, { collection_name: name }),
  );
}

/** The collection that the alias names, even if it does not exist; null without an alias. */
export async function aliasTarget(
  connection: TypesenseConnection,
  timeoutMs: number,
): Promise<string | null> {
  return orNull(async () => {
    const alias = await connection.call(timeoutMs, (client) => client.aliases(INDEX_NAME).retrieve());
    return alias.collection_name;
  });
}

async function collectionNames(connection: TypesenseConnection): Promise<string[]> {
  const collections = await connection.call(BUILD_TIMEOUT_MS, (client) =>
    client.collections().retrieve({ exclude_fields: 'fields' }),
  );
  return collections.map(({ name }) => name);
}

/** Only by its own name: given an alias, Typesense drops the collection that the alias names. */
async function dropCollection(
  connection: TypesenseConnection,
  name: string,
  timeoutMs: number,
): Promise<void> {
  await orNull(() => connection.call(timeoutMs, (client) => client.collections(name).delete()));
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypesenseRefusal && error.status === 404) return null;
    throw error;
  }
}

/** Characters of one request; bodies can be large. */
const REQUEST_MAX = 8_000_000;

/**
 * Upserts documents into a collection.
 * @param collection its own name, not its alias
 * @returns the documents that were refused because of their content
 * @throws AppError `unavailable` for temporary failures; TypesenseRefusal 404 if there is no such collection
 */
export async function importDocuments(
  connection: TypesenseConnection,
  collection: string,
  documents: SearchDocument[],
  timeoutMs: number,
): Promise<DocumentFailure[]> {
  const failures: DocumentFailure[] = [];
  const all = documents.map((document) => ({ id: document.id, json: JSON.stringify(toStored(document)) }));
  for (const lines of inChunksByWeight(all, REQUEST_MAX, ({ json }) => json.length)) {
    failures.push(...(await importLines(connection, collection, lines, timeoutMs)));
  }
  return failures;
}

interface Line {
  id: string;
  json: string;
}

async function importLines(
  connection: TypesenseConnection,
  collection: string,
  lines: Line[],
  timeoutMs: number,
): Promise<DocumentFailure[]> {
  const body = lines.map(({ json }) => json).join('\n');
  let answer: string;
  try {
    answer = await connection.call(timeoutMs, (client) =>
      client.collections(collection).documents().import(body, { action: 'upsert' }),
    );
  } catch (error) {
    if (!(error instanceof TypesenseRefusal)) throw error;
    if (error.status === 404) throw error;
    // The whole request was refused. It is split in halves until the cause is a single document.
    if (lines.length === 1) return [{ id: lines[0]!.id, reason: error.message }];
    const half = Math.ceil(lines.length / 2);
    return [
      ...(await importLines(connection, collection, lines.slice(0, half), timeoutMs)),
      ...(await importLines(connection, collection, lines.slice(half), timeoutMs)),
    ];
  }
  return failuresOf(lines, answer);
}

function failuresOf(lines: Line[], answer: string): DocumentFailure[] {
  const results = answer.split('\n').filter((line) => line.trim() !== '');
  if (results.length !== lines.length)
    throw new AppError(
      'unavailable',
      `Typesense answered for ${results.length} of ${lines.length} documents`,
    );
  return results.flatMap((json, index) => {
    const { success, code = 0, error = 'no reason given' } = importAnswer.parse(JSON.parse(json));
    if (success) return [];
    if (isRetryableStatus(code)) throw new AppError('unavailable', `Typesense is not ready: ${error}`);
    return [{ id: lines[index]!.id, reason: error }];
  });
}
