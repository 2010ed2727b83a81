import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContentChange } from '#app/web/cache/content-changes.ts';
import type { CacheState, PageCache } from '#app/web/cache/page-cache.ts';
import type { Client } from '#tests/support/http-client.ts';
import type { ResolvedAddress } from '#app/web/pages/page-source.ts';
import { servePages, type PageCacheServer, type TestPages } from '#tests/support/page-cache-server.ts';

const page = `<p>${'Calm text. '.repeat(200)}</p>`;
let content: { version: number; changed: ContentChange[] };
let renders: string[];
let states: CacheState[];
let render: TestPages['render'];
let found: Record<string, ResolvedAddress | null>;
let findKeys: string[];
let onFind: () => void;
let server: PageCacheServer;
let cache: PageCache;
let client: Client;

beforeEach(async () => {
  content = { version: 1, changed: [] };
  renders = [];
  found = {};
  findKeys = [];
  onFind = () => undefined;
  render = async () => new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  server = await servePages(content, {
    find: async (path, recordKeys) => {
      onFind();
      recordKeys(...findKeys);
      return found[path] ?? null;
    },
    render: (key, recordKeys, resolved) => {
      renders.push(key);
      return render(key, recordKeys, resolved);
    },
    indexVersion: () => null,
  });
  ({ cache, client, states } = server);
});
afterEach(() => server.close());

describe('a page', () => {
  it('is read again when a change of what it shows came while it was read', async () => {
    let title = 'Old';
    render = async (_key, recordKeys) => {
      recordKeys('frame', 'list');
      const read = title;
      if (renders.length === 1) {
        // Another process commits between two statements of this page.
        title = 'New';
        content.version = 2;
        content.changed = [{ version: 2, keys: ['list'] }];
      }
      return new Response(`${read} ${title}`, { headers: { 'Content-Type': 'text/plain' } });
    };
    expect((await client.get('/')).text).toBe('New New');
    expect(renders).toEqual(['/', '/']);
  });

  it('is rendered once, also for a stampede, and kept until something changes', async () => {
    let release: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const plain = render;
    render = async (...args) => gate.then(() => plain(...args));
    const crowd = Array.from({ length: 60 }, () => client.get('/posts/calm'));
    await expect.poll(() => renders.length).toBe(1);
    release!();
    const answers = await Promise.all(crowd);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${page}`]));
    expect(renders).toEqual(['/posts/calm']);
    await client.get('/posts/calm');
    expect([renders.length, states.at(-1)]).toEqual([1, 'hit']);
    content.version = 2;
    await client.get('/posts/calm');
    expect([renders.length, states.at(-1)]).toEqual([2, 'miss']);
  });

  it('is shown with a warning, or not at all, when nobody can tell whether it has changed', async () => {
    await client.get('/posts/calm');
    const answered: boolean[] = [];
    server.server.removeAllListeners('request').on('request', (request, response) => {
      const key = cache.keyOf(request)!;
      const headers = (state: CacheState) => {
        states.push(state);
        return [];
      };
      const isAnswered = cache.answerStale({ key, request, response, headers });
      answered.push(isAnswered);
      if (!isAnswered) response.writeHead(503).end();
    });
    const kept = await client.get('/posts/calm');
    expect([kept.status, kept.text, kept.headers.warning]).toEqual([200, page, '110 - "Response is Stale"']);
    expect((await client.get('/posts/other')).status).toBe(503);
    expect([answered, states.at(-1), renders.length]).toEqual([[true, false], 'stale', 1]);
  });

  it('whose render a change overtook is not kept', async () => {
    const plain = render;
    render = async (...args) => {
      content.version += 1;
      return plain(...args);
    };
    await client.get('/posts/calm');
    // Each reading met a change; the last one is the answer.
    expect(renders.length).toBe(4);
    render = plain;
    await client.get('/posts/calm');
    await client.get('/posts/calm');
    expect([renders.length, states]).toEqual([5, ['miss', 'miss', 'hit']]);
  });

  it('goes only when something changes that it was made from', async () => {
    const plain = render;
    render = async (key, recordKeys) => {
      recordKeys(`post:${key}`);
      return plain(key, recordKeys);
    };
    const rendersAfter = async (keys: string[]) => {
      content.version += 1;
      content.changed = [{ version: content.version, keys }];
      for (const page of ['/posts/a', '/posts/b']) await client.get(page);
      return renders.splice(0);
    };
    expect(await rendersAfter([])).toEqual(['/posts/a', '/posts/b']);
    expect(await rendersAfter(['post:/posts/c'])).toEqual([]);
    expect(await rendersAfter(['post:/posts/b', 'post:/posts/c'])).toEqual(['/posts/b']);
    expect(await rendersAfter(['*'])).toEqual(['/posts/a', '/posts/b']);
    content.changed = [];
    content.version += 2;
    await client.get('/posts/a');
    expect(renders).toEqual(['/posts/a']);
  });

  it('that is missing, redirects, fails or may not be kept is not kept', async () => {
    const answers: [string, () => Promise<Response>][] = [
      ['404', async () => new Response('No.', { status: 404 })],
      ['301', async () => new Response(null, { status: 301, headers: { Location: '/x' } })],
      ['500', async () => Promise.reject(new Error('The database is gone.'))],
    ];
    for (const [status, answer] of answers) {
      render = answer;
      expect(String((await client.get('/posts/calm')).status)).toBe(status);
    }
    expect([renders.length, cache.usage.pages]).toEqual([3, 0]);
  });
});

describe('an address that settings and posts know', () => {
  const place = { listedIn: '', path: '/about' };
  const once: ResolvedAddress = { kept: 'once', route: '/-/page', place };
  const byPage: ResolvedAddress = { kept: 'by page', route: '/-/posts', place };

  it('is kept where there is something, once or by page', async () => {
    found = { '/about': once, '/news': byPage };
    for (const target of ['/about', '/about?page=2', '/about?utm=x', '/news', '/news?page=2', '/news?page=2'])
      expect((await client.get(target)).status, target).toBe(200);
    expect(renders).toEqual(['/about', '/news', '/news?page=2']);
    expect((await client.get('/about')).headers.etag).toBeTruthy();
  });

  it('is resolved once, and handed down to the render', async () => {
    const handedDown: unknown[] = [];
    let lookUps = 0;
    found = { '/about': once };
    findKeys = ['path:/about'];
    onFind = () => (lookUps += 1);
    render = async (_key, _recordKeys, resolved) => {
      handedDown.push(resolved);
      return new Response(page);
    };
    await client.get('/about');
    expect([handedDown, lookUps]).toEqual([[once], 1]);
    const change = (keys: string[]) => {
      content.version += 1;
      content.changed = [{ version: content.version, keys }];
    };
    change(['post:1']);
    await client.get('/about');
    expect(renders).toHaveLength(1);
    // The look-up's keys are the page's.
    change(['path:/about']);
    await client.get('/about');
    expect(renders).toHaveLength(2);
  });

  it('is left to the rest of the server if it changes while its page is rendered', async () => {
    found = { '/about': once };
    findKeys = ['path:/about'];
    render = async () => {
      content.version += 1;
      content.changed = [{ version: content.version, keys: ['path:/about'] }];
      return new Response(page);
    };
    expect((await client.get('/about')).status).toBe(501);
    expect([renders, cache.usage.pages]).toEqual([['/about'], 0]);
  });

  it('is left to the rest of the server where there is nothing, or nothing any more', async () => {
    expect((await client.get('/nothing')).status).toBe(501);
    found = { '/gone': once };
    render = async () => null;
    expect((await client.get('/gone')).status).toBe(501);
    expect([renders, cache.usage.pages]).toEqual([['/gone'], 0]);
  });
});

describe('an answer', () => {
  it('comes in the encoding that is asked for, each with a validator of its own', async () => {
    const plain = await client.get('/');
    const gzip = await client.get('/', { 'accept-encoding': 'gzip' });
    const brotli = await client.get('/', { 'accept-encoding': 'br' });
    const refused = await client.get('/', { 'accept-encoding': 'br;q=0, gzip;q=0.0' });
    expect(gunzipSync(gzip.body).toString()).toBe(page);
    expect(brotliDecompressSync(brotli.body).toString()).toBe(page);
    expect([plain.text, refused.text]).toEqual([page, page]);
    expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers, body } of [plain, gzip, brotli, refused])
      expect(headers).toMatchObject({
        vary: 'Accept-Encoding',
        'cache-control': 'public, no-cache',
        'content-length': String(body.length),
        'x-content-type-options': 'nosniff',
        'x-request-id': 'one',
      });
    expect(renders).toHaveLength(1);
  });

  it('is kept in the first encoding that compresses it, and sent so to each client that accepts that', async () => {
    const encodingFor = async (accepted: string) =>
      (await client.get('/', { 'accept-encoding': accepted })).headers['content-encoding'];
    expect(await encodingFor('identity')).toBeUndefined();
    const plainBytes = cache.usage.bytes;
    expect(await encodingFor('gzip, br')).toBe('br');
    expect(await encodingFor('gzip')).toBe('gzip');
    expect(await encodingFor('gzip, br;q=0.1')).toBe('br');
    expect(await encodingFor('')).toBeUndefined();
    await client.get('/archive', { 'accept-encoding': 'gzip' });
    expect(
      (await client.get('/archive', { 'accept-encoding': 'gzip, br' })).headers['content-encoding'],
    ).toBe('gzip');
    expect(cache.usage.bytes).toBeLessThan(2 * plainBytes);
    expect(renders).toHaveLength(2);
  });

  it('is 304 in any encoding of it that the client has and accepts', async () => {
    const { headers } = await client.get('/', { 'accept-encoding': 'gzip' });
    const ask = (accepted: string) =>
      client.get('/', { 'accept-encoding': accepted, 'if-none-match': headers.etag! });
    await client.get('/', { 'accept-encoding': 'br' });
    expect(await ask('br, gzip')).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    expect((await ask('br')).status).toBe(200);
  });

  it('is 304 to whoever has it, and to nobody else', async () => {
    const { headers } = await client.get('/', { 'accept-encoding': 'gzip' });
    const etag = headers.etag!;
    const ask = async (match: string, encoding = 'gzip') =>
      client.get('/', { 'if-none-match': match, 'accept-encoding': encoding });
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ask(match);
      expect([answer.status, answer.text, answer.headers.etag], match).toEqual([304, '', etag]);
    }
    for (const match of ['"other"', etag.replaceAll('"', ''), '', ',,,'])
      expect((await ask(match)).status, match).toBe(200);
    expect((await ask(etag, 'identity')).status).toBe(200);
  });

  it('to HEAD has the headers of GET and no body', async () => {
    const get = await client.get('/');
    const head = await client.send('HEAD', '/');
    const { date: _a, ...expected } = get.headers;
    const { date: _b, ...actual } = head.headers;
    expect([head.status, head.text, actual]).toEqual([200, '', expected]);
  });
});

describe('the key', () => {
  it.each([
    ['/', '/?utm_source=x', '/?page=1', '/?a=1&page=1&b=2', '/?page=1&page=2'],
    ['/?page=2', '/?page=2&utm=x', '/?x[]=1&page=2'],
    ['/posts/a', '/posts/a?page=2', '/posts/a?%'],
    ['/posts/%E6%A0%87', '/posts/%E6%A0%87?x'],
  ])('%s is that of every other spelling', async (...targets) => {
    for (const target of targets) await client.get(target);
    expect(cache.usage.pages).toBe(1);
  });

  it.each([
    '/?page=0',
    '/?page=-1',
    '/?page=01',
    '/?page=1e3',
    '/posts/a%2Fb',
    '/posts/%61',
    '/posts/%e6%a0%87',
    '/posts/%',
    '/posts/%00',
    '//posts/a',
    '/posts/a/',
    '/admin',
    '/preview/x',
    '/uploads/x.png',
    `/posts/${'a'.repeat(3_000)}`,
  ])('%s has none', async (target) => {
    expect((await client.get(target)).status).toBe(501);
  });
});
