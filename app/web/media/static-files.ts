import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants } from 'node:zlib';
import compression from 'compression';
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
  type ErrorRequestHandler,
} from 'express';
import type { App } from '#app/app.ts';
import { headersOfFile } from '#app/media/encode/formats.ts';
import { answerMedia, type MediaAnswer } from '#app/media/library/answer.server.ts';
import { isTrashedFile, readTrashedFiles } from '#app/media/library/queries.server.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import type { ContentWatch } from '#app/web/cache/content-changes.ts';
import type { OutageGuard } from '#app/web/guards/outages.ts';
import { refuse } from '#app/web/guards/request-guard.ts';
import { uploadPolicy } from '#app/web/guards/security-headers.ts';
import { clientFolder, publicFileNames } from '#app/web/pages/build.ts';

/** Answers GET and HEAD below `/uploads` from a media store that is not a folder. */
function serveMedia(app: Pick<App, 'mediaStore' | 'log'>): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    void serve(app, request, response, next).catch(next);
  };
}

async function serve(
  app: Pick<App, 'mediaStore' | 'log'>,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  const { method, headers: asked } = request;
  const path = decode(request.path.slice(1));
  let answer: MediaAnswer | null;
  try {
    answer = await answerMedia(app.mediaStore, { method, path, headers: asked });
  } catch (error) {
    if (!isAppError(error)) throw error;
    app.log.warn({ reason: error.message }, 'A media file could not be read');
    response.set('retry-after', '30');
    refuse(request, response, 'unavailable', 'The file cannot be read at the moment.');
    return;
  }
  if (answer === null) return next();
  const { status, headers, body } = answer;
  response.status(status).set(headers);
  if (status === 200 || status === 206)
    response.set(headersOfFile(path) ?? { 'content-type': 'application/octet-stream' });
  if (!body) {
    response.end();
    return;
  }
  // The reader or the store has broken the transfer. The reader's browser notices that the file is incomplete.
  await pipeline(body, response).catch((error: unknown) =>
    app.log.debug({ reason: messageOf(error) }, 'A media file was not sent whole'),
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

const YEAR_SECONDS = 31_536_000;
const TRASH_CHECK_MS = 500;
/** Compresses code by 6 % more than the package's own quality of 4 (measured). */
const ASSETS_BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 5 };
/** A screen loads a dozen pieces of code below the package's own limit of 1 KB: 3 KB in all. */
const ASSETS_BYTES_MIN = 200;

/**
 * Caching: a year for hashed assets and uploads, an hour for the other public files. Names with a leading dot are never
 * served.
 */
export function serveStaticFiles(
  app: Pick<App, 'db' | 'log' | 'mediaStore'>,
  guard: Pick<OutageGuard, 'isDown'>,
  watch: Pick<ContentWatch, 'version'>,
): Router {
  const router = Router({ caseSensitive: true });
  const immutable = {
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
    dotfiles: 'ignore',
    index: false,
  } as const;
  const assets = express.static(path.join(clientFolder, 'assets'), { ...immutable, redirect: false });
  router.use(
    '/assets',
    compression({ threshold: ASSETS_BYTES_MIN, brotli: { params: ASSETS_BROTLI } }),
    assets,
  );
  router.use(
    '/uploads',
    (request, response, next) => {
      response.setHeader('Content-Security-Policy', uploadPolicy);
      void isHidden(request.path).then((hidden) => {
        if (hidden) response.status(404).type('text/plain').send('Not found.\n');
        else next();
      });
    },
    app.mediaStore.folder === null
      ? serveMedia(app)
      : express.static(app.mediaStore.folder, {
          ...immutable,
          redirect: false,
          setHeaders: (response: ServerResponse, file: string) => {
            for (const [name, value] of Object.entries(headersOfFile(file) ?? {}))
              response.setHeader(name, value);
          },
        }),
  );
  /** True for a file in the trash. While the database is down or slow, false for all files. */
  async function isHidden(requestPath: string): Promise<boolean> {
    const file = decodedPath(requestPath);
    if (file === null || guard.isDown()) return false;
    const timeLimit = sleep(TRASH_CHECK_MS, false, { ref: false });
    return Promise.race([isInTrash(file).catch(() => false), timeLimit]);
  }
  let trash: { version: number; files: Promise<ReadonlySet<string>> } | null = null;
  /** Reads the trash once per change. An upload may restore a file from the trash without such a change. */
  async function isInTrash(file: string): Promise<boolean> {
    const version = await watch.version();
    if (trash?.version !== version) trash = { version, files: readTrashedFiles(app) };
    const { files } = trash;
    // After a failure the next file reads again.
    files.catch(() => (trash = null));
    return (await files).has(file) && isTrashedFile(app, file);
  }
  const publicFiles = express.static(clientFolder, {
    maxAge: 3_600_000,
    dotfiles: 'ignore',
    index: false,
    redirect: false,
  });
  // An unknown name needs no disk access.
  const names = publicFileNames();
  router.use((request, response, next) => {
    const [, name = ''] = request.path.split('/');
    if (names.has(name)) publicFiles(request, response, next);
    else next();
  });
  router.use(refuseCondition);
  return router;
}

/** Answers a range outside the file, or a failed condition. Express would log it, and caches keep it as the file. */
const refuseCondition: ErrorRequestHandler = (error: { status?: number }, _request, response, next) => {
  const { status = 500 } = error;
  if (response.headersSent || (status !== 412 && status !== 416)) return next(error);
  for (const name of ['ETag', 'Last-Modified', 'Content-Type']) response.removeHeader(name);
  response.status(status).set('Cache-Control', 'no-store').end();
};

/** A request's path below the uploads folder; null if it names no file. */
function decodedPath(requestPath: string): string | null {
  try {
    const file = decodeURIComponent(requestPath.slice(1));
    return file === '' || file.includes('\0') ? null : file;
  } catch {
    return null;
  }
}
