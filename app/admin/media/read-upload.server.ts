import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { fileFormatOf, SNIFFED_BYTES, type FileFormat } from '#app/media/file-formats.ts';
import { mediaLimits } from '#app/media/media-limits.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';

/** A received file, on disk. */
export interface SentFile {
  /** As the browser sent it; not trustworthy. */
  name: string;
  place: string;
  bytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
  /** The format by its first bytes; null for pictures and unsupported files. */
  format: FileFormat | null;
  /** Larger than allowed: the file on disk is incomplete. */
  isTooLarge: boolean;
  read(): Promise<Uint8Array>;
}

/** A form with files; of a repeated text the last. */
export interface Upload {
  files: SentFile[];
  texts: Record<string, string>;
}

const MB = 1024 * 1024;

/**
 * Reads a multipart form as it comes in, a few kilobytes at a time in memory, and hands it to `work`; afterwards the
 * files are deleted. They are on disk, since encoding each as it arrives would take longer than the server waits for a
 * request.
 * @param maxBytes of a sound, a film or a document; pictures have a limit of their own
 * @throws AppError `invalid_input` when a limit is passed, the form is broken, or is not multipart.
 */
export async function withUpload<T>(
  request: Request,
  maxBytes: number,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('Content-Type') ?? ''))
    throw refusal('Choose a file.');
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-upload-'));
  try {
    return await work(await receive(request, folder, maxBytes));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(request: Request, folder: string, maxBytes: number): Promise<Upload> {
  const formBytes = Math.max(mediaLimits.formBytes, maxBytes + MB);
  const kept: Promise<SentFile | null>[] = [];
  const streams: BusboyFileStream[] = [];
  const texts: Record<string, string> = {};
  try {
    const parser = new Busboy({
      // A name with `..` is refused, not shortened.
      preservePath: true,
      headers: { 'content-type': request.headers.get('Content-Type') } as BusboyHeaders,
      limits: { files: mediaLimits.files, fields: 20, fieldSize: 64 * 1024, headerPairs: 20 },
    });
    parser.on('field', (name, value) => (texts[name] = value));
    parser.on('filesLimit', () =>
      parser.destroy(refusal(`Too many files at once: at most ${mediaLimits.files}.`)),
    );
    parser.on('file', (field, stream, name) => {
      const place = path.join(folder, String(kept.length));
      streams.push(stream);
      // It may fail before it is read; its reader gets the error anyway.
      stream.on('error', () => {});
      const file = keepFile(stream, { isWanted: field === 'file', name: name ?? '', place, maxBytes });
      // Its failure is the form's, which is awaited below.
      file.catch((error: unknown) => parser.destroy(error as Error));
      kept.push(file);
    });
    await feed(parser, request, formBytes);
    const files = (await Promise.all(kept)).filter((file) => file !== null);
    return { files, texts };
  } catch (cause) {
    // A parser that fails leaves the file that it was reading open.
    for (const stream of streams) stream.destroy(new Error('The form was interrupted.'));
    await Promise.allSettled(kept);
    throw isAppError(cause) ? cause : refusal('The form could not be read. Please send it again.', cause);
  }
}

/** Gives the parser a request's body. The connection stays open whatever fails, so that the answer gets through. */
async function feed(parser: InstanceType<typeof Busboy>, request: Request, formBytes: number): Promise<void> {
  const failed = new Promise<never>((_, reject) => parser.on('error', reject));
  // An interrupted form may fail several times.
  failed.catch(() => {});
  const finished = new Promise<void>((resolve) => parser.once('finish', resolve));
  // Without `for await`: leaving its loop would cancel the stream, which closes the connection.
  const reader = request.body?.getReader();
  let received = 0;
  try {
    while (reader) {
      const { done, value } = (await Promise.race([
        reader.read(),
        failed,
      ])) as ReadableStreamReadResult<Uint8Array>;
      if (done) break;
      received += value.length;
      if (received > formBytes)
        throw refusal(`The files are too large together: at most ${Math.floor(formBytes / MB)} MB.`);
      if (!parser.write(value)) await Promise.race([once(parser, 'drain'), failed]);
    }
    parser.end();
    await Promise.race([finished, failed]);
  } catch (error) {
    parser.destroy();
    throw error;
  } finally {
    reader?.releaseLock();
  }
}

/** Writes a file to its place as it comes in. Null for a field without a chosen file, and for fields that take none. */
async function keepFile(
  stream: BusboyFileStream,
  { isWanted, name, place, maxBytes }: { isWanted: boolean; name: string; place: string; maxBytes: number },
): Promise<SentFile | null> {
  const hash = createHash('sha256');
  const file = await open(place, 'wx', 0o600);
  let head = new Uint8Array();
  let bytes = 0;
  let isTooLarge = false;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (head.length < SNIFFED_BYTES)
        head = new Uint8Array(Buffer.concat([head, chunk.subarray(0, SNIFFED_BYTES - head.length)]));
      isTooLarge ||= bytes > (fileFormatOf(head) ? maxBytes : mediaLimits.fileBytes);
      // What is too large is read to its end, so that the files after it are stored.
      if (isTooLarge || !isWanted) continue;
      hash.update(chunk);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
  // A form without a chosen file sends one without a name and without content.
  if (!isWanted || (name === '' && bytes === 0)) return null;
  const facts = { name, place, bytes, sha256: hash.digest('hex'), format: fileFormatOf(head), isTooLarge };
  return { ...facts, read: () => readFile(place) };
}

function refusal(message: string, cause?: unknown): AppError {
  return new AppError('invalid_input', message, { fields: { file: [message] }, cause });
}
