import { AppError } from '#app/platform/errors.ts';
import { inChunksByWeight } from '#app/platform/jobs/event-loop.server.ts';
import type { DocumentFailure, SearchDocument } from '../engine.ts';
import { importAnswer } from './answers.ts';
import { isRetryableStatus, TypesenseRefusal, type TypesenseConnection } from './client.server.ts';
import { toStored } from './collection.ts';

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
