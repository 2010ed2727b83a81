import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { parseFormData } from '@remix-run/form-data-parser';
import { AppError } from '#app/platform/errors.ts';
import type { ByteBudget } from '#app/platform/jobs/concurrency.ts';
import { OTHER_ACCOUNT, PAGE_USER_FIELD } from './page-user-field.tsx';
import { type FormLimits, SubmittedForm } from './screen.ts';

/**
 * True for a form from the page of another account. A form that names no user counts as the own one. Only browsers, which
 * send this header (Fetch Metadata), share their cookies between pages: another program may send the fields of any page.
 */
export function isOfOtherAccount({ user, request, fields }: SentForm): boolean {
  return request.headers.has('Sec-Fetch-Site') && (fields[PAGE_USER_FIELD] ?? user.id) !== user.id;
}

/** @throws AppError `unauthorized` for a form from the page of another account. */
export function requireOwnPage(form: SentForm): void {
  if (isOfOtherAccount(form)) throw otherAccount();
}

/** The refusal of a script's request from the page of another account. */
export function otherAccount(): AppError {
  const message = 'This browser is now logged in with another account. Nothing was changed.';
  return new AppError('unauthorized', message, { reason: OTHER_ACCOUNT });
}

interface SentForm {
  /** The account that is logged in. */
  user: { id: string };
  request: Request;
  fields: Readonly<Record<string, string>>;
}

export interface RawBody {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes that are decoded in one turn of the event loop, which takes less than 3 ms. */
const SLICE_BYTES = 64 * 1024;
const DISCARD_MS = 1_000;
const DISCARD_BYTES = 16 * 1024 * 1024;
const MULTIPART = /^multipart\/form-data\b/i;
const ENCODED = /^application\/x-www-form-urlencoded\b/i;
const [AMPERSAND, EQUALS, PLUS, PERCENT, SPACE] = [0x26, 0x3d, 0x2b, 0x25, 0x20];

/** True for a form that may contain files. */
export function isMultipart(request: Request): boolean {
  return MULTIPART.test(request.headers.get('Content-Type') ?? '');
}

/**
 * Reads a request's body and passes it to `work`. The bytes count against the budget until `work` ends. The limit and
 * the budget apply while the body arrives: bytes beyond them are not kept in memory.
 * @throws AppError `unsupported_media_type` for anything but a form, `payload_too_large`, `unavailable` when other
 *   requests use up the budget.
 */
export async function withBody<T>(
  request: Request,
  { limits, budget }: { limits: FormLimits; budget: ByteBudget },
  work: (body: RawBody) => Promise<T>,
): Promise<T> {
  const type = request.headers.get('Content-Type') ?? '';
  const isForm = MULTIPART.test(type) || ENCODED.test(type);
  if (!isForm && type !== '')
    throw new AppError('unsupported_media_type', 'This address accepts only a submitted form.');
  let reserved = 0;
  const reserve = (bytes: number) => {
    if (!budget.take(bytes)) throw busy();
    reserved += bytes;
  };
  try {
    const bytes = await readBounded(request, limits, reserve);
    return await work({ type, bytes });
  } finally {
    budget.giveBack(reserved);
  }
}

/**
 * The fields of a body that `withBody` has read.
 * @throws AppError `invalid_input`, `payload_too_large` for too many parts.
 */
export async function parseBody({ type, bytes }: RawBody, limits: FormLimits): Promise<SubmittedForm> {
  if (bytes.length === 0 && !MULTIPART.test(type)) return new SubmittedForm([]);
  if (ENCODED.test(type)) return new SubmittedForm(await parseEncoded(bytes));
  if (!MULTIPART.test(type))
    throw new AppError('unsupported_media_type', 'This address accepts only a submitted form.');
  const request = new Request('http://form.invalid', {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: bytes,
  });
  let files = 0;
  try {
    const sizes = { maxFileSize: limits.bytes, maxTotalSize: limits.bytes };
    const counts = { maxParts: limits.fields, maxFiles: limits.fields };
    const form = await parseFormData(request, { ...sizes, ...counts }, () => {
      files += 1;
    });
    const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return new SubmittedForm(texts, { hadFiles: files > 0 });
  } catch (cause) {
    if (cause instanceof Error && /^Max(Parts|Files)Exceeded/.test(cause.name)) throw tooManyFields();
    throw new AppError('invalid_input', 'The form could not be read. Please send it again.', { cause });
  }
}

async function readBounded(
  request: Request,
  { bytes: max, fields }: FormLimits,
  reserve: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('Content-Length')) > max) throw tooLarge();
  const countsFields = ENCODED.test(request.headers.get('Content-Type') ?? '');
  const chunks: Uint8Array[] = [];
  let length = 0;
  let separators = 0;
  // Without `for await`: leaving its loop would cancel the stream, which closes the connection before the answer.
  const reader = request.body?.getReader();
  try {
    while (reader) {
      const { done, value } = (await reader.read()) as ReadableStreamReadResult<Uint8Array>;
      if (done) break;
      length += value.length;
      if (length > max) throw tooLarge();
      if (countsFields) separators += count(value, AMPERSAND, fields);
      if (separators >= fields) throw tooManyFields();
      reserve(value.length);
      chunks.push(value);
    }
  } finally {
    reader?.releaseLock();
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Reads and drops the rest of a refused body, since many clients read no answer before they have sent everything. Stops
 * after a second or 16 MB.
 */
export async function discardBody({ body }: Request): Promise<void> {
  if (!body || body.locked) return;
  const reader = body.getReader();
  const end = performance.now() + DISCARD_MS;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => (timer = setTimeout(resolve, DISCARD_MS, null)));
  try {
    for (let left = DISCARD_BYTES; left > 0 && performance.now() < end;) {
      const read = (await Promise.race([
        reader.read(),
        timeout,
      ])) as ReadableStreamReadResult<Uint8Array> | null;
      if (!read || read.done) return;
      left -= read.value.length;
    }
  } catch {
    // The client has disconnected.
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}

/** Counts a byte, up to `enough`. */
function count(bytes: Uint8Array, byte: number, enough: number): number {
  let occurrences = 0;
  for (let at = bytes.indexOf(byte); at !== -1 && occurrences < enough; at = bytes.indexOf(byte, at + 1))
    occurrences += 1;
  return occurrences;
}

/**
 * Decodes a body into one buffer. This is several times faster than `URLSearchParams`, which also replaces invalid
 * bytes silently. Yields to the event loop between two slices.
 */
async function parseEncoded(bytes: Uint8Array): Promise<[string, string][]> {
  const pairs: [string, string][] = [];
  const decoded = Buffer.allocUnsafe(bytes.length);
  let end = 0;
  let start = 0;
  let name: string | undefined;
  const text = () => {
    const part = decoded.subarray(start, end);
    // Decoding would turn Latin-1 or a lone surrogate into replacement characters.
    if (!isUtf8(part))
      throw new AppError('invalid_input', 'The form contains characters that cannot be stored.');
    start = end;
    return part.toString();
  };
  const endPair = () => {
    const value = text();
    if (name !== undefined) pairs.push([name, value]);
    else if (value !== '') pairs.push([value, '']);
    name = undefined;
  };
  let pauseAt = SLICE_BYTES;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= pauseAt) {
      await setImmediate();
      pauseAt = at + SLICE_BYTES;
    }
    const byte = bytes[at]!;
    if (byte === AMPERSAND) endPair();
    else if (byte === EQUALS && name === undefined) name = text();
    else if (byte === PLUS) decoded[end++] = SPACE;
    else {
      // A percent sign without two hexadecimal digits is an ordinary character.
      const code = byte === PERCENT ? (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2]) : -1;
      decoded[end++] = code < 0 ? byte : code;
      if (code >= 0) at += 2;
    }
  }
  endPair();
  return pairs;
}

/** The value of a hexadecimal digit; a negative number for any other byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The form is too large.');
}

/** The error for a form with more fields or parts than its screen takes. */
export function tooManyFields(): AppError {
  return new AppError('payload_too_large', 'The form has too many fields.');
}

function busy(): AppError {
  const message = 'Too many large forms are being sent at the moment. Please try again soon.';
  return new AppError('unavailable', message, { retryAfter: 5 });
}
