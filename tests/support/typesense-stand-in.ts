import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Collection, Refusal, type Schema, type StoredDocument } from './typesense/collections.ts';
import { documentFilter } from './typesense/filter.ts';
import { searchCollection, type SearchParameters } from './typesense/search.ts';

/** What is wrong with the stand-in at the moment; nothing by default. */
export interface TypesenseFaults {
  /** Connections are cut without an answer. */
  down: boolean;
  /** Milliseconds before each answer; Infinity hangs. */
  delayMs: number;
  /** Every key is refused. */
  unauthorized: boolean;
  /** 503 `Not Ready or Lagging`, as while starting or without a quorum. */
  notReady: boolean;
  /** Writes are refused with 422. */
  outOfDisk: boolean;
  /** Lines of an import that fail, with Typesense's words. */
  failingLine: (document: StoredDocument) => string | null;
}

/** A Typesense over real HTTP, in memory, that answers as the recordings of a real one do. */
export interface TypesenseStandIn {
  url: string;
  apiKey: string;
  faults: TypesenseFaults;
  collections: Map<string, Collection>;
  aliases: Map<string, string>;
  /** Method and path of every request so far. */
  requests: string[];
  /** Called before an import is stored. */
  onImport: ((documents: StoredDocument[]) => Promise<void>) | null;
  stop(): Promise<void>;
}

export async function startTypesenseStandIn(apiKey = 'test-key'): Promise<TypesenseStandIn> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void answer(standIn, request, response));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: TypesenseStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    faults: noFaults(),
    collections: new Map(),
    aliases: new Map(),
    requests: [],
    onImport: null,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

/** A stand-in in good health. */
export function noFaults(): TypesenseFaults {
  return {
    down: false,
    delayMs: 0,
    unauthorized: false,
    notReady: false,
    outOfDisk: false,
    failingLine: () => null,
  };
}

async function answer(standIn: TypesenseStandIn, request: IncomingMessage, response: ServerResponse) {
  const { faults } = standIn;
  standIn.requests.push(`${request.method} ${request.url}`);
  if (faults.down) return request.socket.destroy();
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  if (faults.delayMs > 0) await pause(faults.delayMs, response);
  if (response.destroyed) return;
  const send = (status: number, value: unknown) => {
    const isText = typeof value === 'string';
    response.writeHead(status, {
      'content-type': `${isText ? 'text/plain' : 'application/json'}; charset=utf-8`,
    });
    response.end(isText ? value : JSON.stringify(value));
  };
  try {
    const url = new URL(request.url!, standIn.url);
    if (!/^\/(health|collections|aliases|multi_search)(\/|$)/.test(url.pathname))
      throw new Refusal(404, 'Not Found');
    if (url.pathname === '/health') return send(faults.notReady ? 503 : 200, { ok: !faults.notReady });
    if (faults.unauthorized || request.headers['x-typesense-api-key'] !== standIn.apiKey)
      throw new Refusal(401, 'Forbidden - a valid `x-typesense-api-key` header must be sent.');
    if (faults.notReady) throw new Refusal(503, 'Not Ready or Lagging');
    const isSearch = url.pathname === '/multi_search';
    if (faults.outOfDisk && request.method !== 'GET' && !isSearch)
      throw new Refusal(422, 'Rejecting write: running out of resource type: OUT_OF_DISK');
    const [status, value] = await route(standIn, request.method!, url, body);
    send(status, value);
  } catch (error) {
    if (error instanceof Refusal) send(error.status, { message: error.message });
    else send(500, { message: String(error) });
  }
}

function pause(milliseconds: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on('close', resolve);
    if (Number.isFinite(milliseconds)) setTimeout(resolve, milliseconds);
  });
}

async function route(
  standIn: TypesenseStandIn,
  method: string,
  url: URL,
  body: string,
): Promise<[number, unknown]> {
  const [root, name, part, action] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  if (root === 'multi_search' && method === 'POST') return [200, multiSearch(standIn, url, body)];
  if (root === 'aliases') return aliases(standIn, method, name, body);
  if (root !== 'collections') throw new Refusal(404, 'Not Found');
  if (name === undefined) return collections(standIn, method, body);
  if (part !== 'documents') return collection(standIn, method, name);
  const target = find(standIn, name);
  const parameters = Object.fromEntries(url.searchParams);
  if (action === 'search') return [200, searchCollection(target, parameters)];
  if (action === 'import' && method === 'POST') return [200, await importLines(standIn, target, body)];
  if (action === 'export') return [200, exportLines(target, parameters.include_fields, parameters.filter_by)];
  if (action === undefined && method === 'DELETE') return [200, deleteByFilter(target, parameters.filter_by)];
  if (action !== undefined && method === 'GET') {
    const document = target.documents.get(action);
    if (document) return [200, document];
    throw new Refusal(404, `Could not find a document with id: ${action}`);
  }
  throw new Refusal(404, 'Not Found');
}

function find(standIn: TypesenseStandIn, name: string): Collection {
  const found = standIn.collections.get(name) ?? standIn.collections.get(standIn.aliases.get(name) ?? '');
  if (!found) throw new Refusal(404, 'Collection not found');
  return found;
}

function collections(standIn: TypesenseStandIn, method: string, body: string): [number, unknown] {
  if (method === 'GET')
    return [200, [...standIn.collections.values()].reverse().map((each) => each.describe())];
  const schema = json(body) as Schema;
  if (standIn.collections.has(schema.name))
    throw new Refusal(409, `A collection with name \`${schema.name}\` already exists.`);
  const created = new Collection(schema);
  standIn.collections.set(schema.name, created);
  return [201, created.describe()];
}

function collection(standIn: TypesenseStandIn, method: string, name: string): [number, unknown] {
  if (method === 'GET') return [200, find(standIn, name).describe()];
  if (method !== 'DELETE') throw new Refusal(404, 'Not Found');
  const known = standIn.collections.has(name) || standIn.collections.has(standIn.aliases.get(name) ?? '');
  if (!known) throw new Refusal(404, `No collection with name \`${name}\` found.`);
  const dropped = find(standIn, name);
  // By an alias, too: its target goes and the alias stays.
  standIn.collections.delete(dropped.schema.name);
  return [200, dropped.describe()];
}

function aliases(
  standIn: TypesenseStandIn,
  method: string,
  name: string | undefined,
  body: string,
): [number, unknown] {
  const shown = (alias: string) => ({ collection_name: standIn.aliases.get(alias), name: alias });
  if (name === undefined) return [200, { aliases: [...standIn.aliases.keys()].map(shown) }];
  if (method === 'PUT') {
    const { collection_name } = json(body) as { collection_name?: string };
    if (!collection_name) throw new Refusal(400, 'Parameter `collection_name` is required.');
    if (standIn.collections.has(name))
      throw new Refusal(500, `Name \`${name}\` conflicts with an existing collection name.`);
    standIn.aliases.set(name, collection_name);
    return [200, shown(name)];
  }
  if (!standIn.aliases.has(name)) throw new Refusal(404, 'Collection not found');
  const answer = shown(name);
  if (method === 'DELETE') standIn.aliases.delete(name);
  return [200, answer];
}

function multiSearch(standIn: TypesenseStandIn, url: URL, body: string): object {
  const { searches } = json(body) as { searches: (SearchParameters & { collection: string })[] };
  const common = Object.fromEntries(url.searchParams);
  const results = searches.map((search) => {
    try {
      return searchCollection(find(standIn, search.collection), { ...common, ...search });
    } catch (error) {
      if (error instanceof Refusal) return { code: error.status, error: error.message };
      throw error;
    }
  });
  return { results };
}

async function importLines(standIn: TypesenseStandIn, target: Collection, body: string): Promise<string> {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  if (standIn.onImport) await standIn.onImport(lines.map((line) => JSON.parse(line) as StoredDocument));
  return lines
    .map((line) => {
      const error = line.startsWith('{"')
        ? standIn.faults.failingLine(JSON.parse(line) as StoredDocument)
        : null;
      return JSON.stringify(error ? { code: 400, error, success: false } : target.importLine(line));
    })
    .join('\n');
}

function exportLines(target: Collection, includeFields: string | undefined, filter = ''): string {
  const names = includeFields?.split(',');
  const kept = [...target.documents.values()].filter(documentFilter(target, filter));
  const lines = kept.map((document) =>
    JSON.stringify(names ? Object.fromEntries(names.map((name) => [name, document[name]])) : document),
  );
  return lines.join('\n');
}

function deleteByFilter(target: Collection, filter: string | undefined): object {
  if (filter === undefined) throw new Refusal(400, 'Parameter `filter_by` must be provided.');
  const matches = filter === '' ? () => false : documentFilter(target, filter);
  const gone = [...target.documents.values()].filter(matches);
  for (const { id } of gone) target.remove(id);
  return { num_deleted: gone.length };
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, 'Bad JSON.');
  }
}
