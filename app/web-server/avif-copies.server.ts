import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { App } from '#app/app.ts';
import { imageFormats } from '#app/media/image-formats.ts';
import { messageOf } from '#app/platform/errors.ts';
import { buildFolder } from '#app/platform/project.server.ts';

const CHECK_EVERY_MS = 15 * 60_000;
/** Somebody who uploads pictures, or an import of them, is done by then. */
const AFTER_UPLOAD_MS = 10 * 60_000;
/** The command takes up to 275 MB. */
const NEEDED_BYTES = 500 * 1024 * 1024;

/** Runs the command. @returns how many pictures it left for a later run @throws when it could not do its work */
export type MakeAvif = (signal: AbortSignal) => Promise<number>;

/**
 * Runs `media:make-avif` in a process of its own, at the lowest priority, some minutes after the last upload of a JPEG
 * picture (decision 026). Not where little memory is left.
 * @returns a function that ends it
 */
export function makeAvifAfterUploads(app: Pick<App, 'db' | 'clock' | 'log'>, run = runCommand): () => void {
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
    const waiting = await run(stopping.signal);
    // A picture that has no copies after that is damaged: another attempt would fail, too.
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

async function runCommand(signal: AbortSignal): Promise<number> {
  const command = [path.join(buildFolder, 'bin/run.mjs'), 'media:make-avif'];
  const run = promisify(execFile)(process.execPath, command, { signal });
  // The command does this too, but only after it has loaded its code.
  if (run.child.pid) setPriority(run.child.pid, constants.priority.PRIORITY_LOW);
  const { stdout } = await run.catch((error: Error & { stdout: string }) => {
    // Some pictures failed; the command says so and has made the other copies.
    if (error.stdout) return error;
    throw error;
  });
  return (JSON.parse(stdout) as { waiting: number }).waiting;
}
