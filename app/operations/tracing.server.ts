import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Statement } from '#app/platform/database/client.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { routeLabel } from '#app/platform/http/public-addresses.ts';
import { pathOf } from '#app/platform/http/paths.ts';
import { type Log, shownPath } from '#app/platform/log.server.ts';
import type { TraceTarget } from '#app/platform/trace-target.ts';
import type { SearchCall } from '#app/search/engine.ts';

/** How long a stop waits for a collector that does not answer. */
const LAST_EXPORT_MS = 2_000;
/** Time limit of one batch. */
const EXPORT_MS = 5_000;

/** Spans of requests, and below each the statements and searches that it caused. */
export interface Tracing {
  /** The same listener, with each request in a span of its own. */
  observe(listener: RequestListener): RequestListener;
  /** Adds to a request's span what only the page cache and the log know. */
  describe(response: ServerResponse, attributes: { requestId: string; cache?: string }): void;
  noteStatement(statement: Statement): void;
  noteSearch(call: SearchCall): void;
  /** Sends the remaining spans. Waits two seconds at most for a collector that does not answer. */
  close(): Promise<void>;
}

/** What the spans say about this server. */
export interface Traced {
  databaseSystem: string;
  /** Readers ask by its scheme; a proxy in front may ask this server by another. */
  siteUrl: string;
}

/** Starts to send spans to a collector. Load this module only if there is one: it loads OpenTelemetry's packages. */
export function createTracing(target: TraceTarget, { databaseSystem, siteUrl }: Traced, log: Log): Tracing {
  const scheme = new URL(siteUrl).protocol.slice(0, -1);
  const { url, headers } = target;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_MS });
  const send = exporter.export.bind(exporter);
  let isReached = true;
  exporter.export = (spans, done) => {
    send(spans, (result) => {
      const reached = result.code === ExportResultCode.SUCCESS;
      if (!reached && isReached)
        log.warn({ reason: messageOf(result.error) }, 'The collector does not accept traces');
      if (reached && !isReached) log.info('The collector accepts traces again');
      isReached = reached;
      done(result);
    });
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': target.serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(target.share) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000, exportTimeoutMillis: EXPORT_MS }),
    ],
  });
  const tracer = provider.getTracer('dateline');
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();
  const spans = new WeakMap<ServerResponse, Span>();

  function start({ method = 'GET', url: address = '', headers: received }: IncomingMessage) {
    const path = pathOf(address);
    const parent = target.continues
      ? propagator.extract(ROOT_CONTEXT, received, defaultTextMapGetter)
      : ROOT_CONTEXT;
    const route = routeLabel(path);
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.path': shownPath(path),
      'url.scheme': scheme,
    };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  function noteChild(
    name: string,
    call: Omit<SearchCall, 'operation'>,
    attributes: Record<string, string> = {},
  ) {
    const parent = current.getStore();
    if (parent === undefined) return;
    const endTime = performance.timeOrigin + performance.now();
    const startTime = endTime - call.seconds * 1000;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }, parent);
    if (call.failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endTime);
  }

  return {
    observe: (listener) => (request, response) => {
      const { span, context } = start(request);
      spans.set(response, span);
      response.once('close', () => {
        span.setAttribute('http.response.status_code', response.statusCode);
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      current.run(context, () => listener(request, response));
    },
    describe(response, { requestId, cache = 'none' }) {
      spans.get(response)?.setAttributes({ 'dateline.request_id': requestId, 'dateline.cache': cache });
    },
    noteStatement({ sql, seconds, failure }) {
      const attributes = { 'db.system.name': databaseSystem, 'db.query.text': sql };
      const name = /^\w+/.exec(sql.trimStart())?.[0] ?? 'statement';
      noteChild(name, { seconds, failed: failure !== undefined }, attributes);
    },
    noteSearch(call) {
      noteChild(`search ${call.operation}`, call);
    },
    async close() {
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, sleep(LAST_EXPORT_MS, undefined, { ref: false })]);
    },
  };
}
