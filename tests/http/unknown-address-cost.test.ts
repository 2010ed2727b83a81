// An address that nothing is at costs the server little, however many a scanner tries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { processorSeconds } from '#tests/support/processor-time.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  for (let index = 0; index < 30; index += 1) await createPost(app, { status: 'published' });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const ADDRESSES = 300;

/** Processor time of one request, in milliseconds, over as many addresses as a scanner tries, after a few others. */
async function costOf(addressAt: (index: number) => string, method: 'GET' | 'POST', status: number) {
  const client = server.client();
  const ask = async (index: number) => {
    const answer = await (method === 'GET' ? client.get(addressAt(index)) : client.post(addressAt(index)));
    expect([answer.status, addressAt(index)]).toEqual([status, addressAt(index)]);
  };
  for (let index = 0; index < 30; index += 1) await ask(index);
  const before = await processorSeconds(server);
  for (let index = 30; index < 30 + ADDRESSES; index += 1) await ask(index);
  return (((await processorSeconds(server)) - before) / ADDRESSES) * 1_000;
}

let costOfHit: number;
beforeAll(async () => {
  costOfHit = await costOf(() => '/', 'GET', 200);
});

describe('an unknown address', () => {
  it.each<[string, (index: number) => string, 'GET' | 'POST', number]>([
    ['of a post', (index) => `/posts/nothing-${index}`, 'GET', 404],
    ['of a tag', (index) => `/tags/nothing-${index}`, 'GET', 404],
    ['of an author', (index) => `/authors/nothing-${index}`, 'GET', 404],
    ['at the top', (index) => `/nothing-${index}`, 'GET', 404],
    ['of another system', (index) => `/wp-content/plugins/x${index}/readme.txt?v=${index}`, 'GET', 404],
    ['with a character that no address has', (index) => `/nothing+${index}@x`, 'GET', 404],
    ['of a file', (index) => `/.env.${index}`, 'GET', 404],
    ['of a picture', (index) => `/uploads/2026/01/${index}.png`, 'GET', 404],
    ['that a form is sent to', (index) => `/xmlrpc-${index}.php`, 'POST', 404],
  ])('%s costs little more than a page from the cache', async (_name, addressAt, method, status) => {
    const cost = await costOf(addressAt, method, status);
    // Rendered anew, a page cost twenty times as much as a hit. It is 4 to 7 times where a hit takes half a millisecond.
    expect(cost / costOfHit).toBeLessThan(9);
  });
});
