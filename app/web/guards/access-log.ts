import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Metrics } from '#app/operations/metrics.server.ts';
import type { Tracing } from '#app/operations/tracing.server.ts';
import { routeLabel } from '#app/platform/http/public-addresses.ts';
import { pathOf } from '#app/platform/http/paths.ts';
import { requestLog, shownPath, type Log } from '#app/platform/log.server.ts';

/** A request that is being answered. */
export interface Observed {
  request: IncomingMessage & { originalUrl?: string };
  response: ServerResponse;
  requestId: string;
  cache?: 'hit' | 'miss' | 'stale';
}

/** Records a request in the log and in the metrics, once it is answered. */
export type Observe = (observed: Observed) => void;

/** One JSON line per request: method, path without query, status, duration in ms, cache state, request id. */
export function createObserve(log: Log, metrics: Metrics, tracing?: Tracing): Observe {
  const requests = requestLog(log);
  return ({ request, response, requestId, cache }) => {
    tracing?.describe(response, { requestId, cache });
    const started = performance.now();
    response.on('close', () => {
      const ms = performance.now() - started;
      const path = pathOf(request.originalUrl ?? request.url ?? '');
      metrics.countRequest(routeLabel(path), response.statusCode, ms / 1000, cache ?? 'none');
      if (!requests.isLevelEnabled('info')) return;
      // Without the query, which may contain the words of a reader's search.
      const { method } = request;
      const status = response.statusCode;
      requests.info(
        { method, path: shownPath(path), status, ms: Math.round(ms * 100) / 100, cache, requestId },
        'request',
      );
    });
  };
}

/** Records every request that passes through Express. */
export function observeRequests(observe: Observe): RequestHandler {
  return (request, response, next) => {
    const requestId = response.locals.requestId;
    observe({ request, response, requestId });
    response.setHeader('X-Request-Id', requestId);
    next();
  };
}
