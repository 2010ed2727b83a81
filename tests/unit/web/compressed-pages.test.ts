import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ContentChange } from '#app/web/cache/content-changes.ts';
import { servePages, type PageCacheServer } from '#tests/support/page-cache-server.ts';

const text = '<url>a</url>'.repeat(1_000);
let file: Buffer<ArrayBuffer>;
let content: { version: number; changed: ContentChange[] };
let server: PageCacheServer;

beforeEach(async () => {
  file = gzipSync(text);
  content = { version: 1, changed: [] };
  const headers = { 'content-type': 'application/xml', 'content-encoding': 'gzip' };
  server = await servePages(content, {
    find: async () => null,
    render: async () => new Response(file, { headers }),
    indexVersion: () => null,
  });
});
afterEach(() => server.close());

const ask = (encoding?: string, more: Record<string, string> = {}) =>
  server.client.get('/sitemap.xml', { ...(encoding ? { 'accept-encoding': encoding } : {}), ...more });

it('a file that comes compressed is sent as it is, also to clients that know Brotli', async () => {
  for (const state of ['miss', 'hit']) {
    const answer = await ask('gzip, deflate, br');
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(answer.body.equals(file)).toBe(true);
    expect(server.states.at(-1)).toBe(state);
  }
});

it('it is the same text in every encoding, each with a validator', async () => {
  const [plain, gzip, brotli] = [await ask('identity'), await ask('gzip'), await ask('br')];
  expect(plain.text).toBe(text);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers['content-length']).toBe(String(text.length));
  expect(gunzipSync(gzip.body).toString()).toBe(text);
  expect(brotliDecompressSync(brotli.body).toString()).toBe(text);
  expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3);
  expect((await ask('gzip', { 'if-none-match': gzip.headers.etag! })).status).toBe(304);
  file = gzipSync(`${text}!`);
  content.version = 2;
  expect((await ask('gzip', { 'if-none-match': gzip.headers.etag! })).status).toBe(200);
});
