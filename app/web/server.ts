import { randomBytes, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequestHandler } from '@remix-run/express';
import type { ServerBuild } from '@remix-run/node';
import compression from 'compression';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { App } from '#app/app.ts';
import { recoverImport } from '#app/backup/restore/staging.server.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { createMetrics, type Metrics } from '#app/operations/metrics.server.ts';
import { startLine } from '#app/operations/start-line.server.ts';
import type { Tracing } from '#app/operations/tracing.server.ts';
import { createWriteCheck, type WriteCheck } from '#app/operations/readiness.server.ts';
import { parseEnv, weakSecretWarning, type Env } from '#app/platform/env.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { makeFolder, isOnReadOnlyDisk } from '#app/platform/files/disk.server.ts';
import { SITE_PREVIEW } from '#app/platform/http/public-addresses.ts';
import { type SharedReads, readShared } from '#app/platform/http/shared-reads.ts';
import { yieldToEventLoop } from '#app/platform/jobs/event-loop.server.ts';
import { application } from '#app/platform/project.server.ts';
import { watchAlerts } from '#app/operations/alerts.server.ts';
import { decodePath } from '#app/posts/paths.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { startBuiltInTrigger } from '#app/publishing/trigger/built-in.server.ts';
import { timedEngine } from '#app/search/engine.ts';
import type { RenderSiteView } from '#app/site/shell/site-view.ts';
import type { ContentWatch } from '#app/web/cache/content-changes.ts';
import { watchContent } from '#app/web/cache/content-watch.server.ts';
import { SharedReadsInMemory, sharedReadsFor } from '#app/web/cache/keyed-cache.ts';
import { readForwardedFor, refuseCrossSite, guardRequests } from '#app/web/guards/request-guard.ts';
import {
  answerFailures,
  answerFailuresInJson,
  answerOutages,
  refuseWhileDown,
  createOutageGuard,
  type OutageGuard,
} from '#app/web/guards/outages.ts';
import { serveStaticFiles } from '#app/web/media/static-files.ts';
import { loadBuild } from '#app/web/pages/build.ts';
import { PageCache } from './cache/page-cache.ts';
import { createPageSource } from './cache/render-page.ts';
import { withPageCache } from './cache/with-page-cache.ts';
import { createGracefulStop, type GracefulStop } from './graceful-stop.ts';
import { createObserve, observeRequests, type Observe } from './guards/access-log.ts';
import { deliveryHeaders } from './cache/delivery.ts';
import { limitRequestRate } from './guards/rate-limit.ts';
import { allowMail, allowOwnFrames, publicPageHeaders, securityHeaders } from './guards/security-headers.ts';
import { makeAvifAfterUploads } from './media/avif-copies.server.ts';
import { createMissingPage, type MissingPage } from './pages/missing-page.ts';
import { buildOfBranch, createRenderPublicPage, type RenderPublicPage } from './pages/public-pages.ts';
import { createSiteViews } from './pages/site-views.ts';
import { answerSiteAddresses } from './site-addresses.ts';

/** How long a start waits for the clean-up after a killed import. */
const RECOVER_MS = 5_000;

/** Time limit of one statement on PostgreSQL, as long as SQLite waits for its file. */
const STATEMENT_MS = 10_000;

/** In each window a body must bring `MIN_BODY_BYTES`, unless it is complete. */
const BODY_WINDOW_MS = 60_000;
const MIN_BODY_BYTES = 32 * 1024;

/** A running web server. */
export interface WebServer {
  port: number;
  /**
   * Lets requests finish for ten seconds, stops accepting, closes the database.
   * @param reason for the log, such as a signal
   */
  stop(reason?: string): Promise<void>;
  /** Writes into the log why the process ends at once. */
  noteFailure(error: unknown): void;
}

/**
 * Starts the production server in the given environment.
 * @param socket a path: the server listens there and on no port
 * @throws AppError `not_configured` with the contract's text for a missing variable.
 */
export async function startWebServer(source: NodeJS.ProcessEnv, socket?: string): Promise<WebServer> {
  const env = parseEnv(source, 'server');
  if (env.mediaStore.kind === 'file') await prepareUploads(env.mediaStore.folder);
  const observers: Observers = {};
  const app = await createObservedApp(env, observers);
  app.log.info(startLine(env), `Dateline ${application.version} is starting`);
  const build = await loadBuild();
  const watch = watchContent(app);
  const { changes } = watch;
  changes.onReplaced(() => app.scratchSites.forget());
  const renderPage = createRenderPublicPage(build);
  const missingPage = createMissingPage(build);
  const sharedReads = env.pageCacheMegabytes > 0 ? new SharedReadsInMemory(changes) : undefined;
  const cache = new PageCache({
    changes,
    watch,
    source: createPageSource(app, renderPage, missingPage, sharedReads),
    headers: publicPageHeaders(env),
    megabytes: env.pageCacheMegabytes,
  });
  const guard = createOutageGuard(app, async () => {
    try {
      await recoverImport(app);
    } finally {
      // Last: until the guard reports that the database is back, readers get only cached pages.
      watch.reset();
    }
  });
  // Logs a missing database at once; the server keeps running and waits for it.
  void guard.check();
  await Promise.race([recoverImport(app), sleep(RECOVER_MS, undefined, { ref: false })]);
  const metrics = (observers.metrics = createMetrics(app, () => cache.usage));
  const writeCheck = (observers.writeCheck = createWriteCheck(app));
  // No write needs to fail first.
  const { database } = env;
  if (database.dialect === 'sqlite' && isOnReadOnlyDisk(database.file))
    writeCheck.noteFailure(Object.assign(new Error('The disk is read-only.'), { code: 'EROFS' }));
  const tracing = (observers.tracing = await loadTracing(app));
  const observe = createObserve(app.log, metrics, tracing);
  const server = createServer();
  const graceful = createGracefulStop(server);
  const web = createWebApp(app, {
    build,
    renderPage,
    metrics,
    observe,
    guard,
    watch,
    sharedReads,
    settingsInMemory: sharedReads ?? new SharedReadsInMemory(changes),
    missingPage,
    graceful,
    writeCheck,
  });
  const listener = withPageCache(app, { cache, watch, observe, guard }, web);
  server.on('request', tracing ? tracing.observe(listener) : listener);
  // A client that sends its headers slowly, or nothing at all, must not hold a connection for long.
  server.headersTimeout = 15_000;
  endStalledBodies(server);
  server.keepAliveTimeout = 65_000;
  const port = await listen(server, env, socket);
  const warning = weakSecretWarning(env);
  if (warning) app.log.warn(warning);
  app.log.info({ port, url: env.siteUrl }, 'Dateline is listening');
  const stopMakingAvif = makeAvifAfterUploads(app);
  app.effects.watch(app);
  const alerts = watchAlerts(app);
  const stopTrigger = startBuiltInTrigger(app, alerts.first);
  return {
    port,
    noteFailure: (error) => app.log.fatal({ err: error }, 'The server stops: an error that nothing handles'),
    async stop(reason = 'asked to') {
      app.log.info({ reason, version: application.version }, 'Dateline is stopping');
      stopMakingAvif();
      await graceful.stop();
      alerts.stop();
      await stopTrigger();
      // Worker processes may still prepare a scratch site, which is no longer needed.
      await app.workers.close();
      await app.scratchSites.close();
      guard.close();
      watch.close();
      await tracing?.close();
      await closeApp(app);
    },
  };
}

/** Loaded only when the server sends traces. */
async function loadTracing({ env, log }: App): Promise<Tracing | undefined> {
  if (!env.traces) return undefined;
  const { createTracing } = await import('#app/operations/tracing.server.ts');
  return createTracing(env.traces, { databaseSystem: env.database.dialect, siteUrl: env.siteUrl }, log);
}

interface WebAppParts {
  build: ServerBuild;
  renderPage: RenderPublicPage;
  metrics: Metrics;
  observe: Observe;
  guard: OutageGuard;
  watch: ContentWatch;
  sharedReads: SharedReads | undefined;
  /** The shared reads, or without a page cache one for the settings alone: every request asks for them. */
  settingsInMemory: SharedReads;
  missingPage: MissingPage;
  graceful: GracefulStop;
  writeCheck: WriteCheck;
}

/** The steps of a request before Remix, in order. */
function createWebApp(app: App, parts: WebAppParts): Express {
  const { build, renderPage, metrics, observe, guard, graceful, writeCheck } = parts;
  const web = express();
  web.disable('x-powered-by');
  web.disable('etag');
  web.set('trust proxy', trustedHops(app.env.trustProxy));
  web.use(readForwardedFor(app.env.trustProxy));
  web.use((request, response, next) => {
    response.locals.requestId = randomUUID();
    response.locals.cspNonce = randomBytes(16).toString('base64');
    next();
  });
  web.use(observeRequests(observe));
  web.use(securityHeaders(app.env));
  web.use(nameForCaches(app, parts));
  web.use(guardRequests(build));
  web.use(serveStaticFiles(app, guard, parts.watch));
  web.use(refuseWhileDown(guard));
  web.use(refuseCrossSite(app.env));
  web.use(limitRequestRate(app));
  // Many uncached requests that arrive at once begin one after the other, and cached pages are sent between them.
  web.use((_request, _response, next) => void yieldToEventLoop().then(() => next()));
  web.use(compression());
  web.use(answerFailuresInJson());
  const view = createSiteViews(renderPage)(app);
  const renderSiteView: RenderSiteView = async (...asked) => {
    const { status, headers, body } = await view(...asked);
    return new Response(body, { status, headers });
  };
  const contextOf = (request: Request, response: Response) => ({
    app: appFor(request, app, parts),
    metrics,
    cspNonce: response.locals.cspNonce,
    requestId: response.locals.requestId,
    clientAddress: request.ip,
    databaseDown: guard.isDown(),
    stopping: graceful.isStopping(),
    writeCheck,
    renderSiteView,
    allowOwnFrames: () => allowOwnFrames(response),
    allowMail: () => allowMail(response),
  });
  web.use(answerSiteAddresses(app, renderPage, contextOf, (path) => missingPageFor(app, parts, path)));
  const mode = app.env.production ? 'production' : process.env.NODE_ENV;
  // Pages of the site at an instant are many, and readers wait while Remix goes through all routes for each.
  const previewBuild = buildOfBranch(build, `${SITE_PREVIEW}token/`);
  const previews = [`${SITE_PREVIEW}:token`, `${SITE_PREVIEW}:token/*`];
  web.all(previews, createRequestHandler({ build: previewBuild, mode, getLoadContext: contextOf }));
  web.all('*', createRequestHandler({ build, mode, getLoadContext: contextOf }));
  web.use(answerOutages(app.log));
  web.use(answerFailures(app.log));
  return web;
}

/** Names public answers that the page cache does not send for caches in front: files, redirects, some 404s. */
function nameForCaches(app: App, parts: WebAppParts): RequestHandler {
  const nameAnswer = async (request: Request, response: Response) => {
    const { path } = request;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPrivate = /^\/(api|preview)\//.test(path) || decodePath(path) === null;
    if (!isRead || isPrivate || parts.guard.isDown()) return;
    const sharedReads = sharedReadsFor(parts.settingsInMemory, parts.watch);
    const settings = await readShared({ ...app, sharedReads }, 'settings', readSettings);
    if (!settings.cache_keys || path.split('/')[1] === settings.admin_path) return;
    const writeHead = response.writeHead.bind(response);
    // Its `Cache-Control` is known only then.
    response.writeHead = ((...args: Parameters<typeof writeHead>) => {
      const headers = { 'cache-control': String(response.getHeader('cache-control') ?? 'no-cache') };
      const answer = { status: response.statusCode, headers };
      response.set(deliveryHeaders(settings, answer, { path, keys: [], canPurge: false }));
      return writeHead(...args);
    }) as typeof response.writeHead;
  };
  return (request, response, next) => {
    nameAnswer(request, response)
      .catch(() => {})
      .finally(() => next());
  };
}

/** The 404 page for a request with any method: its form, if any, has written nothing. */
function missingPageFor(app: App, { sharedReads, watch, missingPage }: WebAppParts, path: string) {
  return missingPage(sharedReads ? { ...app, sharedReads: sharedReadsFor(sharedReads, watch) } : app, path);
}

/** GET requests use shared reads. The answer to a form must show what the form has just written. */
function appFor(request: Request, app: App, { sharedReads, watch }: WebAppParts): App {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || !sharedReads) return app;
  return { ...app, sharedReads: sharedReadsFor(sharedReads, watch) };
}

// Trusts this number of hops, and only hops with loopback or private addresses (contract, TRUST_PROXY).
function trustedHops(hops: number): (address: string | undefined, index: number) => boolean {
  const privateAddress =
    /^(::1|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/i;
  return (address = '', index) => index < hops && privateAddress.test(address.replace(/^::ffff:/i, ''));
}

function listenAdvice(code: string | undefined, port: number, host: string | undefined): string {
  if (code === 'EACCES' && port < 1_024)
    return 'Only root may use a PORT below 1024: take a higher one, and let the proxy lead to it.';
  if (host !== undefined && code !== 'EADDRINUSE' && code !== 'EACCES')
    return 'HOST must be an address of this host: correct it, or leave it out.';
  return 'End the process that uses it, or change the variable.';
}

/** @returns the port; 0: none */
function listen(
  server: Server,
  { port, host }: Pick<Env, 'port' | 'host'>,
  socket?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const address = socket ?? (host === undefined ? `PORT ${port}` : `HOST ${host} with PORT ${port}`);
      const advice = listenAdvice(error.code, port, host);
      const message = `The server cannot listen on ${address}: ${error.message}. ${advice}`;
      reject(new AppError('not_configured', message, { cause: error }));
    };
    server.once('error', refuse);
    server.listen(socket === undefined ? { port, host } : { path: socket }, () => {
      server.off('error', refuse);
      resolve((server.address() as { port?: number }).port ?? 0);
    });
  });
}

/** What is told of each statement and search. The app exists first: these need it. */
interface Observers {
  metrics?: Metrics;
  tracing?: Tracing;
  writeCheck?: WriteCheck;
}

/** The app of a server. Its observers may be set later. */
async function createObservedApp(env: Env, observers: Observers): Promise<App> {
  const app = await createApp(env, {
    logTo: 'stdout',
    database: {
      statementTimeoutMs: STATEMENT_MS,
      onStatement(statement) {
        observers.metrics?.countStatement(statement);
        observers.tracing?.noteStatement(statement);
        if (statement.failure) observers.writeCheck?.noteFailure(statement.failure.error);
      },
    },
  });
  const search = timedEngine(app.search, (call) => {
    observers.metrics?.countSearch(call);
    observers.tracing?.noteSearch(call);
  });
  return { ...app, search };
}

/**
 * Makes the uploads folder, which a new instance does not have yet. Readiness reports one that cannot be made: a disk
 * may come back while the server runs.
 * @throws AppError `not_configured` when a file has its name
 */
async function prepareUploads(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null);
  if (stats && !stats.isDirectory())
    throw new AppError(
      'not_configured',
      `UPLOADS_DIR or MEDIA_STORE must name a folder: ${folder} is a file`,
    );
  await makeFolder(folder).catch(() => {});
}

/**
 * Ends requests whose body has stopped coming in. Node's `requestTimeout` limits the whole time instead, and so cuts
 * off a large upload over a slow connection.
 * @returns a function that checks every request in progress; the server calls it each minute
 */
export function endStalledBodies(server: Server): () => void {
  server.requestTimeout = 0;
  const receiving = new Map<IncomingMessage, { response: ServerResponse; bytes: number; isNew: boolean }>();
  server.on('request', (request, response) => {
    // Most requests have no body.
    if (request.complete || request.method === 'GET' || request.method === 'HEAD') return;
    receiving.set(request, { response, bytes: request.socket.bytesRead, isNew: true });
    request.once('close', () => receiving.delete(request));
    request.once('end', () => receiving.delete(request));
  });
  const look = () => {
    for (const [request, seen] of receiving) {
      const { bytesRead } = request.socket;
      // A request that has just begun still has its whole window.
      if (!seen.isNew && bytesRead - seen.bytes < MIN_BODY_BYTES) endStalled(request, seen.response);
      Object.assign(seen, { bytes: bytesRead, isNew: false });
    }
  };
  const timer = setInterval(look, BODY_WINDOW_MS).unref();
  server.once('close', () => clearInterval(timer));
  return look;
}

function endStalled(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return void request.destroy();
  response.writeHead(408, { Connection: 'close', 'Content-Type': 'text/plain' });
  response.end('The request took too long to arrive.\n', () => request.destroy());
}
