import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { App } from '#app/app.ts';
import { imageFormats } from '#app/media/encode/image-formats.ts';
import { messageOf } from '#app/platform/errors.ts';
import { buildFolder } from '#app/platform/project.server.ts';

const CHECK_EVERY_MS = 15 * 60_000;
/** After this time, somebody who uploads pictures, or an import, has probably finished. */
const AFTER_UPLOAD_MS = 10 * 60_000;
/** The command takes up to 275 MB. */
const NEEDED_BYTES = 500 * 1024 * 1024;

/** Runs the command. @returns how many pictures it left for a later run @throws when the command failed */
export type MakeAvif = (signal: AbortSignal) => Promise<number>;

/**
 * Runs `media:make-avif` in a process of its own, at the lowest priority, some minutes after the last upload of a JPEG
 * picture (decision 026). Does not run it when little memory is free.
 * @returns a function that stops this
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

async function runCommand(signal: AbortSignal): Promise<number> {
  const command = [path.join(buildFolder, 'bin/run.mjs'), 'media:make-avif'];
  const run = promisify(execFile)(process.execPath, command, { signal });
  // The command does this too, but only after it has loaded its code.
  if (run.child.pid) setPriority(run.child.pid, constants.priority.PRIORITY_LOW);
  const { stdout } = await run.catch((error: Error & { stdout: string }) => {
    // Some pictures failed. The output names them, and the other copies were made.
    if (error.stdout) return error;
    throw error;
  });
  return (JSON.parse(stdout) as { waiting: number }).waiting;
}
