import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createTracing } from '#app/operations/tracing.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { startTraceCollector, type TraceCollector } from '#tests/support/trace-collector.ts';

let collector: TraceCollector;
afterEach(() => collector.close());

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentSpanId = 'b7ad6b7169203331';

/** One request with one statement and, by then, a status; what the collector got of it. */
async function traceOne(options: { continues: boolean; share: number; status?: number; sampled?: boolean }) {
  collector = await startTraceCollector();
  const target = { url: `${collector.url}/v1/traces`, headers: {}, serviceName: 'blog', ...options };
  const tracing = createTracing(
    target,
    { databaseSystem: 'postgresql', siteUrl: 'https://blog.example.org' },
    createLog('silent', 2),
  );
  const traceparent = `00-${traceId}-${parentSpanId}-${options.sampled === false ? '00' : '01'}`;
  const request = { method: 'GET', url: '/preview/Secret-token?q=word', headers: { traceparent } };
  const response = Object.assign(new EventEmitter(), { statusCode: options.status ?? 200 });
  const answered = new Promise<void>((resolve) => {
    const listener = tracing.observe(async () => {
      await Promise.resolve();
      tracing.noteStatement({ sql: 'SELECT 1', seconds: 0.5, failure: { error: new Error('value') } });
      resolve();
    });
    listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  await answered;
  response.emit('close');
  tracing.noteStatement({ sql: 'SELECT 2', seconds: 0 });
  await tracing.close();
  return collector.spans;
}

test('a trace from in front is continued only where that is set', async () => {
  const [statement, span] = await traceOne({ continues: true, share: 0 });
  expect([statement!.traceId, span!.traceId, span!.parentSpanId]).toEqual([traceId, traceId, parentSpanId]);
  await collector.close();
  const [, own] = await traceOne({ continues: false, share: 1 });
  expect([own!.traceId === traceId, own!.parentSpanId]).toEqual([false, undefined]);
});

test.each([
  { continues: false, share: 0 },
  { continues: true, share: 1, sampled: false },
])('what is not sampled is not sent: %j', async (options) => {
  expect(await traceOne(options)).toEqual([]);
});

test('a failure is marked without what it said, and a statement that no request caused is not traced', async () => {
  const spans = await traceOne({ continues: false, share: 1, status: 503 });
  expect(spans.map(({ name, status }) => [name, status])).toEqual([
    ['SELECT', 2],
    ['GET /preview/:token', 2],
  ]);
  expect(spans[0]!.parentSpanId).toBe(spans[1]!.spanId);
  expect(spans[1]!.attributes).toMatchObject({ 'url.path': '/preview/…', 'url.scheme': 'https' });
  expect(JSON.stringify(spans)).not.toMatch(/Secret-token|word|value"/);
});
