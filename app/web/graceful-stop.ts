import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long requests in flight may take after a stop signal. */
const IN_FLIGHT_MS = 10_000;
/** How long a connection without a request stays open, in case its client is just sending one. */
const IDLE_MS = 1_000;
/** How often connections are checked while the server stops. */
const CHECK_EVERY_MS = 25;

/** Stops an HTTP server without cutting off a request. */
export interface GracefulStop {
  isStopping(): boolean;
  /**
   * From now on every answer has `Connection: close`, so that clients close their kept-alive connections. The server
   * still accepts connections for a second, or until none is left, so that proxies see in readiness that it stops.
   * Resolves when every connection is closed. Requests that take longer than ten seconds are cut off.
   */
  stop(): Promise<void>;
}

interface Connection {
  /** Unfinished responses. */
  responses: Set<ServerResponse>;
  /** When it was opened, or its last answer was finished. */
  idleSince: number;
}

/** Call it before the server listens. */
export function createGracefulStop(server: Server): GracefulStop {
  const connections = new Map<Socket, Connection>();
  let stopped: Promise<void> | undefined;

  server.on('connection', (socket) => {
    connections.set(socket, { responses: new Set(), idleSince: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    if (stopped) response.setHeader('Connection', 'close');
    connections.get(socket)?.responses.add(response);
    response.on('close', noteEnd);
  });

  // One function for all responses: for a cached page a function of its own would be a notable cost.
  function noteEnd(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection) return;
    connection.responses.delete(this);
    connection.idleSince = performance.now();
  }

  async function closeIdle(stoppedAt: number): Promise<void> {
    // A busy process runs its timers before it reads from sockets. It accepts connections in one turn and reads
    // requests in the next one.
    for (let turn = 0; turn < 2; turn += 1) await nextTurn();
    const now = performance.now();
    for (const [socket, { responses, idleSince }] of connections)
      if (responses.size === 0 && now - Math.max(idleSince, stoppedAt) >= IDLE_MS) socket.destroy();
  }

  async function stop(): Promise<void> {
    const stoppedAt = performance.now();
    const elapsed = () => performance.now() - stoppedAt;
    for (const { responses } of connections.values())
      for (const response of responses) if (!response.headersSent) response.setHeader('Connection', 'close');
    while (connections.size > 0 && elapsed() < IDLE_MS) await sleep(CHECK_EVERY_MS);
    await closeIdle(stoppedAt);
    server.close();
    while (connections.size > 0 && elapsed() < IN_FLIGHT_MS) {
      await sleep(CHECK_EVERY_MS);
      await closeIdle(stoppedAt);
    }
    server.closeAllConnections();
  }

  return {
    isStopping: () => stopped !== undefined,
    stop: () => (stopped ??= stop()),
  };
}
