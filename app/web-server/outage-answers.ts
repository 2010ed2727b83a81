import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Log } from '#app/platform/log.server.ts';
import { outageReason, RETRY_AFTER_SECONDS } from '#app/platform/failure.server.ts';
import { pathOf } from '#app/platform/request-target.ts';
import { unavailableAnswer } from '#app/site/unavailable.ts';
import type { OutageGuard } from './outage-guard.ts';
import { publicPageHeaders } from './security-headers.ts';

/** When a request takes longer, the guard asks whether the database answers. */
const SLOW_MS = 2_000;

/** Answers at once while the database is down, except requests that need no database or report its state. */
export function refuseWhileDown(guard: OutageGuard): RequestHandler {
  return (request, response, next) => {
    watchRequest(response, guard);
    if (guard.isDown() && !request.path.startsWith('/api/')) answerUnavailable(request, response);
    else next();
  };
}

/** Answers 503 for an outage that occurred before Remix ran. */
export function answerOutages(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const reason = outageReason(error);
    if (reason === null || response.headersSent) return next(error);
    const requestId = response.locals.requestId as string;
    log.error({ reason, method: request.method, path: request.path, requestId }, 'Request failed');
    answerUnavailable(request, response);
  };
}

/** The answer 503 of an outage. @param extra further headers: names and values in turn */
export function answerUnavailable(
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  extra: readonly string[] = [],
): void {
  const path = pathOf(request.originalUrl ?? request.url ?? '');
  const client = { path, language: request.headers['accept-language'] };
  const { status, headers, body } = unavailableAnswer(client, RETRY_AFTER_SECONDS);
  const all = { ...publicPageHeaders({}), ...headers, 'Content-Length': Buffer.byteLength(body) };
  for (let place = 0; place < extra.length; place += 2) response.setHeader(extra[place]!, extra[place + 1]!);
  response.writeHead(status, all);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Makes the guard check the database when a request takes long or has failed because of the database. */
export function watchRequest(response: ServerResponse, guard: OutageGuard): void {
  const timer = setTimeout(() => void guard.check(), SLOW_MS).unref();
  response.once('close', () => {
    clearTimeout(timer);
    if (response.statusCode === 503) void guard.check();
  });
}
