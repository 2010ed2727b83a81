import { once } from 'node:events';
import { createServer, request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endStalledBodies } from '#app/web/server.ts';

let server: Server;
let look: () => void;
let received: number;

beforeEach(async () => {
  received = 0;
  server = createServer((incoming, response) => {
    incoming.on('error', () => undefined);
    incoming.on('data', (part: Buffer) => {
      received += part.length;
      server.emit('part');
    });
    incoming.on('end', () => response.end('whole'));
  });
  look = endStalledBodies(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function post(): { sent: ClientRequest; status: Promise<number> } {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method: 'POST', headers: { 'Content-Length': 1_000_000 } });
  sent.on('error', () => undefined);
  const status = once(sent, 'response').then(([answer]) => {
    (answer as IncomingMessage).resume();
    return (answer as IncomingMessage).statusCode!;
  });
  return { sent, status };
}
const send = async (sent: ClientRequest, bytes: number) => {
  const wanted = received + bytes;
  sent.write(Buffer.alloc(bytes));
  while (received < wanted) await once(server, 'part');
};

it('a body that has stopped is ended after a whole window; the total time does not count', async () => {
  expect(server.requestTimeout).toBe(0);
  const slow = post();
  for (let window = 0; window < 9; window += 1) {
    await send(slow.sent, 100_000);
    look();
  }
  await send(slow.sent, 100_000);
  expect(await slow.status).toBe(200);
  slow.sent.end();

  const stalled = post();
  await send(stalled.sent, 100_000);
  look();
  await send(stalled.sent, 10);
  look();
  expect(await stalled.status).toBe(408);
});

it('a body that has just begun has its whole window', async () => {
  const { sent, status } = post();
  await send(sent, 1);
  look();
  await send(sent, 40_000);
  look();
  await send(sent, 1_000_000 - 40_001);
  expect(await status).toBe(200);
});

it('a body that brings exactly the least of a window goes on', async () => {
  const { sent, status } = post();
  await send(sent, 1);
  look();
  await send(sent, 32 * 1024);
  look();
  await send(sent, 1_000_000 - 32 * 1024 - 1);
  expect(await status).toBe(200);
});

it('a body that stops after its answer has begun is cut off', async () => {
  server.prependListener('request', (_incoming, response) => response.flushHeaders());
  const { sent } = post();
  const closed = once(sent, 'close');
  await send(sent, 1);
  look();
  look();
  await closed;
});
