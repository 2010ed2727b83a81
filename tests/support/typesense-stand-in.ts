import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { forbidden, Refusal, type Collection, type StoredDocument } from './typesense/collections.ts';
import { requireSearchOnly, route } from './typesense/routes.ts';

/** The current faults of the stand-in; none by default. */
export interface TypesenseFaults {
  /** Connections are cut without an answer. */
  down: boolean;
  /** Milliseconds before each answer; Infinity hangs. */
  delayMs: number;
  /** Every key is refused. */
  unauthorized: boolean;
  /** 503 `Not Ready or Lagging`, as while starting or without a quorum. */
  notReady: boolean;
  /** Writes are refused with 422; `/health` stays 200 and names the resource (recording 12). */
  outOf: 'OUT_OF_DISK' | 'OUT_OF_MEMORY' | null;
  /** Writes are refused with 422 `Skipping writes.`, or everything with 429: later, not never. */
  busy: 'skips writes' | 'too many requests' | null;
  /** Lines of an import that fail, with Typesense's words. */
  failingLine: (document: StoredDocument) => string | null;
}

/** A Typesense over real HTTP, in memory, that answers as the recordings of a real one do. */
export interface TypesenseStandIn {
  url: string;
  apiKey: string;
  /** May only search, and only by the alias (recording 08). */
  searchOnlyKey: string;
  faults: TypesenseFaults;
  collections: Map<string, Collection>;
  aliases: Map<string, string>;
  /** Method and path of every request so far. */
  requests: string[];
  /** Called before an import is stored. */
  onImport: ((documents: StoredDocument[]) => Promise<void>) | null;
  /** A hard restart that replays the log: what was written by an alias is lost. */
  restartHard(): void;
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
    searchOnlyKey: `${apiKey}-search-only`,
    faults: noFaults(),
    collections: new Map(),
    aliases: new Map(),
    requests: [],
    onImport: null,
    restartHard() {
      for (const collection of standIn.collections.values()) collection.loseWritesByAlias();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

/** A stand-in without faults. */
export function noFaults(): TypesenseFaults {
  return {
    down: false,
    delayMs: 0,
    unauthorized: false,
    notReady: false,
    outOf: null,
    busy: null,
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
    if (url.pathname === '/health') return send(...health(faults));
    requireKey(standIn, request.headers['x-typesense-api-key'], url, body);
    if (faults.notReady) throw new Refusal(503, 'Not Ready or Lagging');
    if (faults.busy === 'too many requests') throw new Refusal(429, 'Rate limit exceeded.');
    if (request.method !== 'GET' && url.pathname !== '/multi_search') refuseWrites(faults);
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

function health({ notReady, outOf }: TypesenseFaults): [number, object] {
  return notReady ? [503, { ok: false }] : [200, { ok: true, ...(outOf ? { resource_error: outOf } : {}) }];
}

function requireKey(standIn: TypesenseStandIn, key: unknown, url: URL, body: string): void {
  if (standIn.faults.unauthorized) throw forbidden();
  if (key === standIn.searchOnlyKey) requireSearchOnly(url, body);
  else if (key !== standIn.apiKey) throw forbidden();
}

function refuseWrites({ outOf, busy }: TypesenseFaults): void {
  if (outOf) throw new Refusal(422, `Rejecting write: running out of resource type: ${outOf}`);
  if (busy === 'skips writes') throw new Refusal(422, 'Skipping writes.');
}
