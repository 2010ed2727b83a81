import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { tooManyFields } from '#app/admin/frame/read-form.server.ts';
import { fileFormatOf, SNIFFED_BYTES, type FileFormat } from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { chunksOf } from '#app/platform/files/chunks.ts';
import { say, type Message } from '#app/platform/message.ts';

/** A received file, on disk. */
export interface SentFile {
  /** The name that the browser sent; not trustworthy. */
  name: string;
  place: string;
  bytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
  /** The format that the first bytes show; null for pictures and unsupported files. */
  format: FileFormat | null;
  /** Larger than allowed: the file on disk is incomplete. */
  isTooLarge: boolean;
  read(): Promise<Uint8Array>;
}

/** A form with files. Of a repeated text field it has the last value. */
export interface Upload {
  files: SentFile[];
  texts: Record<string, string>;
}

const MB = 1024 * 1024;
/** The most fields that are not files. */
const FIELDS_MAX = 20;
/** The most bytes of the headers of one part. */
const HEADER_BYTES = 8 * 1024;
/** Bytes that are parsed in one turn of the event loop: they hold a few hundred parts at most. */
const SLICE_BYTES = 16 * 1024;

/**
 * Reads a multipart form with a few kilobytes in memory at a time, and passes it to `work`. The files are on disk until
 * `work` ends: processing each while it arrives would take longer than the server waits for a request.
 * @param maxBytes limit for a sound, a film or a document; pictures have their own limit
 * @throws AppError `invalid_input` when a limit is exceeded, or the form is broken or not multipart.
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
  const keptFiles: Promise<SentFile | null>[] = [];
  const streams: BusboyFileStream[] = [];
  const texts: Record<string, string> = {};
  try {
    const parser = new Busboy({
      // A name with `..` is refused, not shortened.
      preservePath: true,
      headers: { 'content-type': request.headers.get('Content-Type') } as BusboyHeaders,
      limits: {
        files: mediaLimits.files,
        fields: FIELDS_MAX,
        parts: mediaLimits.files + FIELDS_MAX,
        fieldSize: 64 * 1024,
        headerPairs: 20,
        headerSize: HEADER_BYTES,
      },
    });
    parser.on('field', (name, value) => (texts[name] = value));
    // The parser would only skip the rest, and read all of it.
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      parser.on(limit, () => parser.destroy(tooManyFields()));
    parser.on('filesLimit', () =>
      parser.destroy(
        refusal(say('Too many files. Upload at most {most} at once.', { most: mediaLimits.files })),
      ),
    );
    parser.on('file', (field, stream, name) => {
      const place = path.join(folder, String(keptFiles.length));
      streams.push(stream);
      // The stream may fail before `keepFile` reads it. Its reader gets the error in any case.
      stream.on('error', () => {});
      const file = keepFile(stream, { isWanted: field === 'file', name: name ?? '', place, maxBytes });
      // A file that fails ends the whole form, which is awaited below.
      file.catch((error: unknown) => parser.destroy(error as Error));
      keptFiles.push(file);
    });
    await feed(parser, request, formBytes);
    const files = (await Promise.all(keptFiles)).filter((file) => file !== null);
    return { files, texts };
  } catch (cause) {
    // A failed parser leaves the stream of its current file open.
    for (const stream of streams) stream.destroy(new Error('The form was interrupted.'));
    await Promise.allSettled(keptFiles);
    throw isAppError(cause) ? cause : refusal('The form could not be read. Please send it again.', cause);
  }
}

/** Feeds a request's body to the parser. After a failure the connection stays open, so that the answer can be sent. */
async function feed(parser: InstanceType<typeof Busboy>, request: Request, formBytes: number): Promise<void> {
  const failed = new Promise<never>((_, reject) => parser.on('error', reject));
  // An interrupted form may fail twice; the second failure must not count as unhandled.
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
        throw refusal(
          say('The files are too large together. The limit is {limit} MB.', {
            limit: Math.floor(formBytes / MB),
          }),
        );
      for (let at = 0; at < value.length; at += SLICE_BYTES) {
        const isFull = !parser.write(value.subarray(at, at + SLICE_BYTES));
        // A turn of the event loop also lets a failure of the parser become known.
        await Promise.race([isFull ? once(parser, 'drain') : nextTurn(), failed]);
      }
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

/**
 * Writes a file to disk while it arrives. Null for a field without a chosen file, and for fields that take no files.
 */
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
    for await (const chunk of chunksOf(stream)) {
      bytes += chunk.length;
      if (head.length < SNIFFED_BYTES)
        head = new Uint8Array(Buffer.concat([head, chunk.subarray(0, SNIFFED_BYTES - head.length)]));
      isTooLarge ||= bytes > (fileFormatOf(head, name) ? maxBytes : mediaLimits.fileBytes);
      // A file that is too large is read to its end, so that the files after it can be stored.
      if (isTooLarge || !isWanted) continue;
      hash.update(chunk);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
  // A form without a chosen file sends an empty file without a name.
  if (!isWanted || (name === '' && bytes === 0)) return null;
  const facts = {
    name,
    place,
    bytes,
    sha256: hash.digest('hex'),
    format: fileFormatOf(head, name),
    isTooLarge,
  };
  return { ...facts, read: () => readFile(place) };
}

function refusal(message: Message, cause?: unknown): AppError {
  return new AppError('invalid_input', message, { fields: { file: [message] }, cause });
}
