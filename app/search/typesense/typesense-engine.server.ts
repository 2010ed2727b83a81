import { AppError } from '#app/platform/errors.ts';
import {
  INDEX_NAME,
  nothingFound,
  type EngineQuery,
  type EngineResult,
  type IndexEntry,
  type SearchEngine,
} from '../engine.ts';
import { queryTerms } from '../words.ts';
import { collectionAnswer, exportedEntry, facetOf, searchAnswers, type SearchAnswer } from './answers.ts';
import { connectTypesense, TypesenseRefusal, type TypesenseConnection } from './client.server.ts';
import { SCHEMA_VERSION, WORD_FIELDS } from './collection.ts';
import { beginBuild, createIndex } from './collections.server.ts';
import { importDocuments, missingIndex } from './import-documents.server.ts';
import { correctedText, idFilter, matchedWords, searchesOf } from './query.ts';

const TIMEOUT_MS = 5_000;
const EXPORT_TIMEOUT_MS = 120_000;
/** Ids of one removal: they stand in a URL, which may have 4,000 characters. */
const REMOVED_AT_ONCE = 40;

/** Typesense, one node or several; `published_posts` is an alias there. */
export function createTypesenseEngine(nodes: string[], apiKey: string | undefined): SearchEngine {
  const connection = connectTypesense(nodes, apiKey);
  return {
    hasIndex: (call) => hasIndex(connection, call?.timeoutMs ?? TIMEOUT_MS),
    async createIndex(call) {
      const timeoutMs = call?.timeoutMs ?? TIMEOUT_MS;
      if (!(await hasIndex(connection, timeoutMs))) await createIndex(connection, timeoutMs);
    },
    upsert: (documents, call) =>
      importDocuments(connection, INDEX_NAME, documents, call?.timeoutMs ?? TIMEOUT_MS),
    remove: (ids, call) => removeDocuments(connection, ids, call?.timeoutMs ?? TIMEOUT_MS),
    search: (query, call) => search(connection, query, call?.timeoutMs ?? TIMEOUT_MS),
    entries: () => readEntries(connection),
    beginBuild: () => beginBuild(connection),
    async check(call) {
      await connection.call(call?.timeoutMs ?? TIMEOUT_MS, (client) => client.health.retrieve());
    },
    close: () => Promise.resolve(connection.close()),
  };
}

async function hasIndex(connection: TypesenseConnection, timeoutMs: number): Promise<boolean> {
  try {
    const collection = await connection.call(timeoutMs, (client) =>
      client.collections(INDEX_NAME).retrieve(),
    );
    return collectionAnswer.parse(collection).metadata?.dateline === SCHEMA_VERSION;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function removeDocuments(
  connection: TypesenseConnection,
  ids: string[],
  timeoutMs: number,
): Promise<void> {
  for (let from = 0; from < ids.length; from += REMOVED_AT_ONCE) {
    const filter_by = idFilter(ids.slice(from, from + REMOVED_AT_ONCE));
    await connection
      .call(timeoutMs, (client) => client.collections(INDEX_NAME).documents().delete({ filter_by }))
      .catch((error: unknown) => {
        throw isMissing(error) ? missingIndex() : error;
      });
  }
}

async function search(
  connection: TypesenseConnection,
  query: EngineQuery,
  timeoutMs: number,
): Promise<EngineResult> {
  const terms = queryTerms(query.text);
  // Typesense would match everything.
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
