import { pipeline } from 'node:stream/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { App } from '#app/app.ts';
import { headersOfFile } from '#app/media/encode/file-formats.ts';
import { answerMedia, type MediaAnswer } from '#app/media/library/answer.server.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import { refuse } from '#app/web/guards/refuse.ts';

/** Answers GET and HEAD below `/uploads` from a media store that is not a folder. */
export function serveMedia(app: Pick<App, 'mediaStore' | 'log'>): RequestHandler {
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
