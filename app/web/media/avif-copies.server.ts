import type { App } from '#app/app.ts';
import { imageFormats } from '#app/media/encode/formats.ts';
import { messageOf } from '#app/platform/errors.ts';
import { makeAvifCopies } from '#app/publishing/media/make-avif-copies.server.ts';

const CHECK_EVERY_MS = 15 * 60_000;
/** After this time, somebody who uploads pictures, or an import, has probably finished. */
const AFTER_UPLOAD_MS = 10 * 60_000;
/** Encoding takes up to 170 MB. */
const NEEDED_BYTES = 500 * 1024 * 1024;

/**
 * Makes the AVIF copies of new JPEG pictures, some minutes after the last upload of one, in the queue of pictures that
 * uploads use (decision 026). Makes none when little memory is free.
 * @returns a function that stops this after the picture that is being encoded
 */
export function makeAvifAfterUploads(app: App, make = makeAvifCopies): () => void {
  const stopping = new AbortController();
  let newestDone = '';
  let isRunning = false;
  const check = async () => {
    const newest = await app.db.media.findFirst({
      where: { mimeType: imageFormats.jpeg.mimeType, trashedAt: null },
      orderBy: { createdAt: 'desc' },
      select: { id: true, createdAt: true },
    });
    if (!newest || newest.id === newestDone || process.availableMemory() < NEEDED_BYTES) return;
    if (app.clock.now().getTime() - newest.createdAt.getTime() < AFTER_UPLOAD_MS) return;
    const { waiting } = await make(app, { seconds: CHECK_EVERY_MS / 1_000, signal: stopping.signal });
    // A picture that still has no copies is damaged. Another attempt would fail, too.
    if (waiting === 0) newestDone = newest.id;
  };
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    check()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) app.log.warn({ reason: messageOf(error) }, 'AVIF copies were not made');
      })
      .finally(() => (isRunning = false));
  }, CHECK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}
