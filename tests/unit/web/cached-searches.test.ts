import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContentChange } from '#app/web/cache/content-changes.ts';
import type { CacheState } from '#app/web/cache/page-cache.ts';
import type { Client } from '#tests/support/http-client.ts';
import { servePages, type PageCacheServer, type TestPages } from '#tests/support/page-cache-server.ts';

const page = '<p>Calm text.</p>';
let content: { version: number; changed: ContentChange[] };
let indexVersion: string | null;
let renders: string[];
let states: CacheState[];
let render: TestPages['render'];
let server: PageCacheServer;
let client: Client;

beforeEach(async () => {
  content = { version: 1, changed: [] };
  indexVersion = 'first';
  renders = [];
  render = async () => new Response(page);
  server = await servePages(content, {
    find: async () => null,
    render: (key, recordKeys) => {
      renders.push(key);
      return render(key, recordKeys);
    },
    indexVersion: () => indexVersion,
  });
  ({ client, states } = server);
});
afterEach(() => server.close());

describe('a search', () => {
  const ask = (query: string) => client.get(`/search?${query}`);

  it('is answered once until the content or the index changes', async () => {
    await ask('q=calm&page=2');
    await ask('page=2&utm=x&q=calm');
    expect([renders, states]).toEqual([['/search?q=calm&page=2'], ['miss', 'hit']]);
    content.version = 2;
    await ask('q=calm&page=2');
    indexVersion = 'second';
    await ask('q=calm&page=2');
    expect(states).toEqual(['miss', 'hit', 'miss', 'miss']);
  });

  it('names no key: a change of any post concerns it', async () => {
    render = async (_, recordKeys) => {
      recordKeys('post:1');
      return new Response(page);
    };
    await ask('q=calm');
    content.version = 2;
    content.changed = [{ version: 2, keys: ['post:2'] }];
    await ask('q=calm');
    expect(states).toEqual(['miss', 'miss']);
  });

  it('that the database answered instead of the engine is not kept', async () => {
    render = async () => new Response(page, { headers: { 'Cache-Control': 'no-store' } });
    await ask('q=calm');
    expect((await ask('q=calm')).headers['cache-control']).toBe('no-store');
    expect(states).toEqual(['miss', 'miss']);
  });

  it('is not kept where the engine cannot tell of its changes', async () => {
    indexVersion = null;
    expect((await ask('q=calm')).status).toBe(501);
  });

  it('pushes out no page', async () => {
    await client.get('/posts/calm');
    // Each takes some 45 kB compressed, all together twice the place of all pages.
    render = async () => new Response(randomBytes(45_000).toString('base64'));
    for (let number = 0; number < 50; number += 1) await ask(`q=${number}`);
    await client.get('/posts/calm');
    expect(states.at(-1)).toBe('hit');
  });
});
