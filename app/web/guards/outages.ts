import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Db, Configured, Logged } from '#app/platform/services.ts';
import { outageReason, RETRY_AFTER_SECONDS } from '#app/platform/database/failure.server.ts';
import { probeDatabase } from '#app/platform/database/health.server.ts';
import { isOnReadOnlyDisk } from '#app/platform/files/disk.server.ts';
import { pathOf } from '#app/platform/http/paths.ts';
import { prefersJson } from '#app/platform/http/responses.ts';
import type { Log } from '#app/platform/log.server.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { unavailableAnswer } from '#app/site/shell/unavailable.ts';
import { refuse } from './request-guard.ts';
import { publicPageHeaders } from './security-headers.ts';

const PROBE_MS = 2_000;
/** Milliseconds between two probes while the database is down. */
const AGAIN_MS = 1_000;
/**
 * How often the file is checked: a restored copy has the same name and another inode, and a disk that was read-only may be
 * writable again.
 */
const FILE_EVERY_MS = 2_000;

/** Knows whether the database is down, so that requests are answered at once instead of hanging one by one. */
export interface OutageGuard {
  isDown(): boolean;
  /**
   * Call it when a request failed or takes long. Probes the database until it answers. Resolves within seconds, once
   * `isDown` is up to date.
   */
  check(): Promise<void>;
  close(): void;
}

/**
 * @param onRecovery called each time the database answers again, before requests reach the database; its errors are
 *   logged
 */
export function createOutageGuard(
  app: Db & Configured & Logged,
  onRecovery: () => Promise<void>,
): OutageGuard {
  const { database } = app.env;
  const place = database.dialect === 'sqlite' ? { file: database.file } : {};
  let down = false;
  let isReported = false;
  let closed = false;
  let probing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function probe(): Promise<void> {
    probing ??= ask().finally(() => (probing = undefined));
    return probing;
  }

  async function ask(): Promise<void> {
    const reason = await probeDatabase(database, PROBE_MS);
    if (closed) return;
    if (reason !== null) {
      // `down` may have been set before the reason was known.
      if (!isReported)
        app.log.error({ reason, ...place }, 'The database is down; pages answer 503 until it is back');
      down = isReported = true;
      timer = setTimeout(() => void probe(), AGAIN_MS).unref();
    } else if (down) {
      await reopen();
      down = isReported = false;
      app.log.info('The database is back');
    }
  }

  /** Opens connections again: those from before the outage may hang, or still use a replaced file. */
  async function reopen(): Promise<void> {
    try {
      if (database.dialect === 'sqlite') await app.db.$disconnect();
      await onRecovery();
    } catch (error) {
      app.log.error({ err: error }, 'Work that waited for the database failed');
    }
  }

  const watch = database.dialect === 'sqlite' ? watchFile(database.file, replaced) : undefined;

  function replaced(inode: number | undefined): void {
    if (down || closed) return;
    // Of a file that is gone, the probe logs that it cannot be opened.
    if (inode !== undefined)
      app.log.warn('The database file was replaced or is writable again; it is opened again');
    down = true;
    void probe();
  }

  return {
    isDown: () => down,
    check: () => (down || closed ? Promise.resolve() : probe()),
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(watch);
    },
  };
}

function watchFile(file: string, replaced: (inode: number | undefined) => void): NodeJS.Timeout {
  let seen: number | undefined;
  let wasReadOnly = false;
  const check = async () => {
    // A missing file is an outage too: writes to the deleted one would be lost.
    const inode = await stat(file).then(
      ({ ino }) => ino,
      () => undefined,
    );
    const isReadOnly = isOnReadOnlyDisk(file);
    if (seen !== undefined && (inode !== seen || (wasReadOnly && !isReadOnly))) replaced(inode);
    seen = inode;
    wasReadOnly = isReadOnly;
  };
  void check();
  return setInterval(() => void check(), FILE_EVERY_MS).unref();
}

/** When a request takes longer, the guard asks whether the database answers. */
const SLOW_MS = 2_000;
const FAILED = 'Something went wrong on the server.';

/** Answers at once while the database is down, except requests that need no database or report its state. */
export function refuseWhileDown(guard: OutageGuard): RequestHandler {
  return (request, response, next) => {
    watchRequest(response, guard);
    if (guard.isDown() && !request.path.startsWith('/api/')) answerUnavailable(request, response);
    else next();
  };
}

/** Answers 500 for any other failure before Remix ran: with JSON for scripts, else with one line of text. */
export function answerFailures(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const { status = 500 } = error as { status?: number };
    if (response.headersSent || status < 500) return next(error);
    const requestId = response.locals.requestId;
    log.error({ err: error, method: request.method, path: request.path, requestId }, 'Request failed');
    refuse(request, response, 'internal', FAILED);
  };
}

/** Replaces the page or text of a failure (500 and above) by JSON for scripts that want it. */
export function answerFailuresInJson(): RequestHandler {
  return (request, response, next) => {
    if (prefersJson(request.get('Accept'))) replaceFailure(response);
    next();
  };
}

function replaceFailure(response: Response): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let isReplaced = false;
  const replace = (): boolean => {
    const type = String(response.getHeader('Content-Type') ?? '');
    if (isReplaced || response.headersSent || response.statusCode < 500 || type.includes('json'))
      return isReplaced;
    isReplaced = true;
    const code = response.statusCode === 503 ? 'unavailable' : 'internal';
    const message = code === 'internal' ? FAILED : messagesFor('en').errors.unavailable.text;
    const body = Buffer.from(JSON.stringify({ data: null, error: { code, message } }));
    for (const name of ['Content-Encoding', 'ETag', 'Last-Modified']) response.removeHeader(name);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', body.length);
    response.setHeader('Cache-Control', 'no-store');
    end(response.req.method === 'HEAD' ? undefined : body);
    return true;
  };
  response.write = ((...args: Parameters<typeof write>) => replace() || write(...args)) as typeof write;
  response.end = ((...args: Parameters<typeof end>) => (replace() ? response : end(...args))) as typeof end;
}

/** Answers 503 for an outage that occurred before Remix ran. */
export function answerOutages(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const reason = outageReason(error);
    if (reason === null || response.headersSent) return next(error);
    const requestId = response.locals.requestId;
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
  const { 'accept-language': language, accept } = request.headers;
  const client = { path, language, accept };
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
