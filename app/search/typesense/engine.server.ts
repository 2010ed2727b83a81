import { AppError, isAppError } from '#app/platform/errors.ts';
import {
  INDEX_NAME,
  nothingFound,
  type EngineHealth,
  type EngineQuery,
  type EngineResult,
  type IndexEntry,
  type IndexState,
  type SearchEngine,
  type CallOptions,
} from '#app/search/engine.ts';
import { queryTerms } from '#app/search/words.ts';
import {
  collectionAnswer,
  exportedEntry,
  facetOf,
  healthAnswer,
  searchAnswers,
  type SearchAnswer,
  SCHEMA_VERSION,
  WORD_FIELDS,
} from './schema.ts';
import { connectTypesense, TypesenseRefusal, type TypesenseConnection } from './client.server.ts';
import { aliasTarget, beginBuild, createIndex, importDocuments } from './collections.server.ts';
import { correctedText, idFilter, isFilterable, matchedWords, searchesOf } from './query.ts';

const TIMEOUT_MS = 5_000;
const EXPORT_TIMEOUT_MS = 30_000;
/** The ids are in a URL, which may have 4,000 characters. */
const MAX_IDS_PER_REMOVAL = 40;

const limitOf = (call?: CallOptions) => call?.timeoutMs ?? TIMEOUT_MS;

/** The engine on one Typesense node or several; `published_posts` is an alias there. Times out after 5 seconds. */
export function createTypesenseEngine(nodes: string[], apiKey: string | undefined): SearchEngine {
  const connection = connectTypesense(nodes, apiKey);
  return {
    describe: (call) => describe(connection, limitOf(call)),
    async createIndex(call) {
      if (!(await describe(connection, limitOf(call)))) await createIndex(connection, limitOf(call));
    },
    upsert: (documents, call) =>
      toIndex(connection, limitOf(call), (name) =>
        importDocuments(connection, name, documents, limitOf(call)),
      ),
    remove: (ids, call) =>
      toIndex(connection, limitOf(call), (name) => removeDocuments(connection, name, ids, limitOf(call))),
    search: (query, call) => search(connection, query, limitOf(call)),
    entries: () => readEntries(connection),
    beginBuild: () => beginBuild(connection),
    health: (call) => health(connection, limitOf(call)),
    close: () => Promise.resolve(connection.close()),
  };
}

async function describe(connection: TypesenseConnection, timeoutMs: number): Promise<IndexState | null> {
  try {
    const collection = await connection.call(timeoutMs, (client) =>
      client.collections(INDEX_NAME).retrieve(),
    );
    const { name, num_documents, metadata } = collectionAnswer.parse(collection);
    if (metadata?.dateline !== SCHEMA_VERSION) return null;
    return { id: `typesense:${name}`, documentCount: num_documents };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The health of the engine. A search-only key can read `/health` but not the collection: that is `unauthorized`. */
async function health(connection: TypesenseConnection, timeoutMs: number): Promise<EngineHealth> {
  const answer = await connection.call(timeoutMs, (client) => client.health.retrieve());
  const { resource_error: shortage } = healthAnswer.parse(answer);
  if (shortage !== undefined) return shortage === 'OUT_OF_MEMORY' ? 'out_of_memory' : 'out_of_disk';
  try {
    return (await describe(connection, timeoutMs)) ? 'ok' : 'missing';
  } catch (error) {
    if (isAppError(error) && error.code === 'not_configured') return 'unauthorized';
    throw error;
  }
}

/**
 * Writes to the collection by its own name instead of the alias. When Typesense replays its log after a crash, it
 * resolves an alias again, and writes to the alias were lost.
 */
async function toIndex<T>(
  connection: TypesenseConnection,
  timeoutMs: number,
  write: (collection: string) => Promise<T>,
): Promise<T> {
  const name = await aliasTarget(connection, timeoutMs);
  if (name === null) throw missingIndex();
  try {
    return await write(name);
  } catch (error) {
    throw isMissing(error) ? missingIndex() : error;
  }
}

async function removeDocuments(
  connection: TypesenseConnection,
  collection: string,
  ids: string[],
  timeoutMs: number,
): Promise<void> {
  const filterable = ids.filter(isFilterable);
  for (let from = 0; from < filterable.length; from += MAX_IDS_PER_REMOVAL) {
    const filter_by = idFilter(filterable.slice(from, from + MAX_IDS_PER_REMOVAL));
    await connection.call(timeoutMs, (client) =>
      client.collections(collection).documents().delete({ filter_by }),
    );
  }
  for (const id of ids.filter((each) => !isFilterable(each)))
    await connection.call(timeoutMs, (client) =>
      client.collections(collection).documents(id).delete({ ignore_not_found: true }),
    );
}

async function search(
  connection: TypesenseConnection,
  query: EngineQuery,
  timeoutMs: number,
): Promise<EngineResult> {
  const terms = queryTerms(query.text);
  // For an empty query Typesense would return every post.
  if (terms.length === 0) return nothingFound;
  const { page, categories, tags } = searchesOf(query, terms, INDEX_NAME);
  const searches = [page, categories, tags].filter((each) => each !== null);
  const answer = await connection.call(timeoutMs, (client) => client.multiSearch.perform({ searches }));
  const results = searchAnswers.parse(answer).results.map(requireAnswer);
  const found = results[0]!;
  const words = found.hits.flatMap(({ highlight }) =>
    WORD_FIELDS.flatMap((field) => highlight[field]?.matched_tokens ?? []),
  );
  return {
    ids: found.hits.map(({ document }) => document.id),
    total: found.found,
    isCut: false,
    matched: matchedWords(terms, words),
    categories: facetOf(categories ? results[1]! : found, 'categoryId'),
    tags: facetOf(tags ? results.at(-1)! : found, 'tagIds'),
    correctedText: found.found > 0 ? correctedText(query.text, terms, words) : null,
  };
}

function requireAnswer(result: SearchAnswer | { code: number; error: string }): SearchAnswer {
  if (!('error' in result)) return result;
  if (result.code === 404) throw missingIndex();
  throw new AppError('unavailable', `Typesense could not search: ${result.error}`);
}

async function* readEntries(connection: TypesenseConnection): AsyncGenerator<IndexEntry> {
  let lines: string;
  try {
    lines = await connection.call(EXPORT_TIMEOUT_MS, (client) =>
      client.collections(INDEX_NAME).documents().export({ include_fields: 'id,slug,hash' }),
    );
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  for (const line of lines.split('\n')) if (line !== '') yield exportedEntry.parse(JSON.parse(line));
}

function isMissing(error: unknown): boolean {
  return error instanceof TypesenseRefusal && error.status === 404;
}

function missingIndex(): AppError {
  return new AppError('unavailable', 'There is no search index yet; the next trigger builds it.');
}
