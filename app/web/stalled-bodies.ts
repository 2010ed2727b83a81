import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** In each window a body must bring `MIN_BYTES`, unless it is complete. */
const WINDOW_MS = 60_000;
const MIN_BYTES = 32 * 1024;

/**
 * Ends requests whose body has stopped coming in. Node's `requestTimeout` limits the whole time instead, and so cuts
 * off a large upload over a slow connection.
 * @returns a function that checks every request in progress; the server calls it each minute
 */
export function endStalledBodies(server: Server): () => void {
  server.requestTimeout = 0;
  const receiving = new Map<IncomingMessage, { response: ServerResponse; bytes: number; isNew: boolean }>();
  server.on('request', (request, response) => {
    // Most requests have no body.
    if (request.complete || request.method === 'GET' || request.method === 'HEAD') return;
    receiving.set(request, { response, bytes: request.socket.bytesRead, isNew: true });
    request.once('close', () => receiving.delete(request));
    request.once('end', () => receiving.delete(request));
  });
  const look = () => {
    for (const [request, seen] of receiving) {
      const { bytesRead } = request.socket;
      // A request that has just begun still has its whole window.
      if (!seen.isNew && bytesRead - seen.bytes < MIN_BYTES) end(request, seen.response);
      Object.assign(seen, { bytes: bytesRead, isNew: false });
    }
  };
  const timer = setInterval(look, WINDOW_MS).unref();
  server.once('close', () => clearInterval(timer));
  return look;
}

function end(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return void request.destroy();
  response.writeHead(408, { Connection: 'close', 'Content-Type': 'text/plain' });
  response.end('The request took too long to arrive.\n', () => request.destroy());
}
