import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startTraceCollector, type TraceCollector } from '#tests/support/trace-collector.ts';

let app: TestApp;
let server: TestServer;
let collector: TraceCollector;
beforeAll(async () => {
  collector = await startTraceCollector();
  app = await createTestApp();
  await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
  await createPost(app, { slug: 'late', status: 'scheduled', publishedAt: new Date(Date.now() - 3_600_000) });
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
    OTEL_SERVICE_NAME: 'blog',
    LOG_LEVEL: 'warn',
  };
  server = await startServer({ env: { ...app.variables, ...traces } });
});
afterAll(async () => {
  await server?.stop();
  await collector?.close();
  await app?.close();
});

const secret = { authorization: 'Bearer test-cron-secret' };
const read = async () => (await server.client().get('/api/internal/metrics', secret)).text;
const valueOf = (text: string, sample: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

test('the page for Prometheus counts requests, searches and logins', async () => {
  const client = server.client();
  await client.get('/posts/calm');
  await client.get('/posts/calm');
  await client.get('/search?q=calm');
  const text = await read();
  const page = 'dateline_http_requests_total{route="/posts/:slug",status="200",cache=';
  expect(valueOf(text, `${page}"miss"}`)).toBe(1);
  expect(valueOf(text, `${page}"hit"}`)).toBe(1);
  expect(valueOf(text, 'dateline_http_request_duration_seconds_count{route="/posts/:slug"}')).toBe(2);
  expect(valueOf(text, 'dateline_search_duration_seconds_count{operation="search"}')).toBeGreaterThan(0);
  // Of what has not happened yet too: Prometheus sees no increase in a series that begins with its first event.
  for (const outcome of ['succeeded', 'failed', 'throttled'])
    expect(valueOf(text, `dateline_logins_total{outcome="${outcome}"}`)).toBe(0);
});

test('the page for Prometheus says how the database and the process are', async () => {
  const text = await read();
  expect(valueOf(text, 'dateline_database_up')).toBe(1);
  expect(valueOf(text, 'dateline_database_statement_duration_seconds_count')).toBeGreaterThan(5);
  // Whether one holds the event loop for more than 10 ms is tested with 100,000 posts (query-plans.test.ts).
  const within10Ms = valueOf(text, 'dateline_database_statement_duration_seconds_bucket{le="0.01"}');
  expect(within10Ms).toBeGreaterThan(0);
  expect(valueOf(text, 'dateline_database_errors_total')).toBe(0);
  expect(valueOf(text, 'nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
});

test('the page for Prometheus says what is published and what is overdue until the trigger has run', async () => {
  const text = await read();
  expect(valueOf(text, 'dateline_posts_overdue')).toBe(1);
  expect(valueOf(text, 'dateline_posts_published')).toBe(1);
  expect(valueOf(text, 'dateline_last_trigger_timestamp_seconds')).toBe(0);
  await server.client().post('/api/internal/posts/publish-scheduled', {}, secret);
  const after = await read();
  const calls = [...after.matchAll(/^dateline_search_duration_seconds_count(\{operation="\w+"\})/gm)];
  const errors = calls.map(([, label]) => valueOf(after, `dateline_search_errors_total${label}`));
  expect(errors).toContain(0);
  expect(errors).not.toContain(undefined);
  expect(valueOf(after, 'dateline_posts_overdue')).toBe(0);
  expect(valueOf(after, 'dateline_last_trigger_timestamp_seconds')).toBeGreaterThan(1e9);
});

test('how long the event loop is held is observed each second', async () => {
  const held = 'dateline_event_loop_longest_delay_seconds';
  await expect.poll(async () => valueOf(await read(), `${held}_count`)).toBeGreaterThan(0);
  const text = await read();
  expect(valueOf(text, `${held}_bucket{le="0.01"}`)).toBeGreaterThanOrEqual(0);
  expect(valueOf(text, `${held}_sum`)).toBeGreaterThanOrEqual(0);
});

test('it answers whoever has the secret, and nobody else', async () => {
  expect((await server.client().get('/api/internal/metrics')).status).toBe(401);
  const posted = await server.client().post('/api/internal/metrics', {}, secret);
  expect(posted.status).toBe(405);
});

test('a request leaves a trace of its own with its statements', async () => {
  const readers = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${readers}-b7ad6b7169203331-01`;
  const answer = await server.client().get('/search?q=secretive', { traceparent });
  const requestId = answer.headers['x-request-id'];
  const find = () => collector.spans.find((span) => span.attributes['dateline.request_id'] === requestId);
  await expect.poll(find).toBeDefined();
  const span = find()!;
  expect(span).toMatchObject({
    name: 'GET /search',
    attributes: { 'url.path': '/search', 'http.response.status_code': 200, 'dateline.cache': 'miss' },
  });
  expect([span.traceId === readers, span.parentSpanId]).toEqual([false, undefined]);
  const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  expect(children.every(({ traceId }) => traceId === span.traceId)).toBe(true);
  expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(['SELECT', 'search search']));
  expect(children.find(({ name }) => name === 'SELECT')!.attributes).toMatchObject({
    'db.system.name': 'sqlite',
    'db.query.text': expect.stringMatching(/^\s*SELECT .*\?/s) as string,
  });
});

test('traces hold no value of a statement and no query of an address', () => {
  const sent = collector.spans.flatMap(({ name, attributes }) => [
    name,
    attributes['db.query.text'],
    ...Object.values(attributes).filter((value) => String(value).includes('?q=')),
  ]);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((text) => /secretive|calm|test-cron|\?q=/.test(String(text)))).toEqual([]);
  expect(collector.services).toEqual(new Set(['blog']));
  expect(collector.authorization).toBe('Bearer collector');
});

test('a collector that does not answer disturbs nothing, and is logged once', async () => {
  await collector.close();
  for (let time = 0; time < 3; time += 1) expect((await server.client().get('/')).status).toBe(200);
  await expect.poll(server.stdout).toContain('The collector does not accept traces');
  expect((await server.client().get('/search?q=calm')).status).toBe(200);
  expect(await server.stop()).toBe(0);
  expect(server.stdout().match(/does not accept traces/g)).toHaveLength(1);
});
