import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp();
  for (const slug of ['one', 'two'])
    await createPost(app, { slug, status: 'published', publishedAt: new Date(0) });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const bases = [
  '/',
  '/posts/one',
  '/posts/two',
  '/archive',
  '/rss.xml',
  '/sitemap.xml',
  '/search',
  '/tags',
  '/api/health',
  '/uploads/x',
  '/assets/x',
];
const twists: ((path: string, number: number) => string)[] = [
  (path) => `${path}%`,
  (path) => `${path}%zz`,
  (path) => `${path}%00`,
  (path) => `${path}%c3%28`,
  (path) => `${path}%ED%A0%80`,
  (path) => `${path}/../../../etc/passwd`,
  (path) => `${path}/%2e%2e/%2e%2e/.env.local`,
  (path) => `${path}%5c..%5c..`,
  (path) => `/${path}`,
  (path) => `//evil.example${path}`,
  (path) => `${path}//`,
  (path) => path.toUpperCase(),
  (path) => `${path}?${'a'.repeat(20_000)}`,
  (path) => `${path}/${'b'.repeat(20_000)}`,
  (path, number) => `${path}?unknown=${number}`,
  (path, number) => `${path}?page=${number}`,
  (path) => `${path}?page=-1&page[]=x&page=%00`,
  (path) => `${path}?q=%F0%28&category=..%2f..&tag=%00`,
  (path) => `${path}?__proto__[x]=1&constructor=1`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}.data?_routes=root`,
  (path) => `${path}?_data=root`,
  (path) => `${path}?index`,
];
const headers = [
  '',
  'If-None-Match: "\u0080',
  'If-None-Match: W/"x", *, ,,"',
  'If-Modified-Since: yesterday',
  'Range: bytes=0-5',
  'Range: bytes=9-1,-,x',
  'Accept-Encoding: br;q=x, gzip;q=;, *;q=0',
  'Accept: ,;q=,*/*;;',
  'Cookie: a=b; =; ;;; __session=%%%; session=eyJhIjox',
  'X-Forwarded-Proto: javascript',
  'X-Forwarded-For: not-an-address, ,',
  'Content-Type: text/html; charset="',
  'Origin: null',
  'Accept-Language: ../../etc;q=9',
];
const methods = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PUT',
  'DELETE',
  'PATCH',
  'PROPFIND',
  'POST',
];

function unusualRequest(number: number): string {
  const base = bases[number % bases.length]!;
  const path = twists[number % twists.length]!(base, number);
  const header = headers[number % headers.length]!;
  const method = methods[number % methods.length]!;
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header === '' ? '' : `${header}\r\n`}\r\n`;
}

it(
  'a thousand unusual requests get no 500 and no stack trace, and fill no cache',
  { timeout: 240_000 },
  async () => {
    const requests = Array.from({ length: 1_000 }, (_, number) => unusualRequest(number));
    const bad: string[] = [];
    for (let start = 0; start < requests.length; start += 20) {
      const answers = await Promise.all(requests.slice(start, start + 20).map((request) => send(request)));
      answers.forEach((answer, index) => {
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
        const trace = /\n\s+at .+:\d+:\d+|node_modules|Error: /.test(answer);
        const sent = requests[start + index]!.split('\r\n');
        if (!(status >= 200 && status < 500) || trace)
          bad.push(`${status} ${sent[0]!.slice(0, 120)} ${sent[3]}`);
      });
    }
    expect(bad).toEqual([]);
    const metrics = await server
      .client()
      .get('/api/internal/metrics', { authorization: 'Bearer test-cron-secret' });
    const pages = Number(/^dateline_page_cache_pages (\d+)$/m.exec(metrics.text)?.[1]);
    // Home, two posts, archive, tags, feed, sitemap and no more.
    expect(pages).toBeGreaterThan(3);
    expect(pages).toBeLessThanOrEqual(7);
  },
);

it.each([
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400/],
  [
    'an absolute address of another site',
    'GET http://evil.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 [24]/,
  ],
  [
    'a whole address',
    'GET http://x:80/posts/one HTTP/1.1\r\nHost: x:80\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 200/,
  ],
  [
    'a whole address that is not the page’s own',
    'GET http://x:80/posts/one/?a=b HTTP/1.1\r\nHost: x:80\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 301[^]*\nLocation: \/posts\/one\?a=b\r/,
  ],
  [
    'a whole address without a path',
    'GET http://x:80?page=1 HTTP/1.1\r\nHost: x:80\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 200/,
  ],
  ['no address', 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400/],
  ['no request at all', 'rubbish\r\n\r\n', /^HTTP\/1\.1 400/],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 [24]/],
  ['a header of 100 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
  [
    'a body that was not announced',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nbody',
    /^HTTP\/1\.1 200/,
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    /^HTTP\/1\.1 400/,
  ],
])('%s is answered', async (_name, request, expected) => {
  expect(await send(request)).toMatch(expected);
});

it.each([
  '/admin\\login',
  '/admin\\login/forgot',
  '\\admin\\login',
  '/admin\\login?x=1',
  '/api\\health',
  '/posts\\one',
])('%j is no other spelling of an address, which a proxy in front would not recognise', async (path) => {
  const answer = await send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400/);
});

it('requests in one packet are answered in their order', async () => {
  const one = (path: string, close = false) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;
  const answer = await send(
    one('/posts/one') + one('/nowhere') + one('/api/health') + one('/robots.txt', true),
  );
  expect([...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)).toEqual([
    '200',
    '404',
    '200',
    '200',
  ]);
});

it('whoever sends the headers drop by drop holds nobody up', async () => {
  const slow = connect(Number(new URL(server.url).port), '127.0.0.1');
  slow.on('error', () => undefined);
  slow.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  const { status } = await server.client().get('/');
  slow.destroy();
  expect(status).toBe(200);
});

/** Sends bytes as they are. @returns everything that comes back before the connection ends */
function send(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.setTimeout(60_000, () => socket.destroy(new Error(`No answer to ${request.slice(0, 200)}`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.write(Buffer.from(request, 'latin1'));
  });
}
