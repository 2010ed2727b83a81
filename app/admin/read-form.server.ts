import { isUtf8 } from 'node:buffer';
import { AppError } from '#app/platform/errors.ts';

// Room for a 2 MB body in percent-encoding and for typos that the schemas then name; beyond it nobody types.
const FORM_MAX_BYTES = 32 * 1024 * 1024;

/**
 * The text fields of a submitted form; of a repeated one the last, of a file its name.
 * @throws AppError as `readFormEntries`.
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const entries = await readFormEntries(request);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  );
}

/**
 * The fields of a submitted form in order; a name may repeat.
 * @throws AppError `unsupported_media_type` for anything but a form, `payload_too_large`, `invalid_input`.
 */
export async function readFormEntries(request: Request): Promise<[string, string | File][]> {
  const type = request.headers.get('Content-Type') ?? '';
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw new AppError('unsupported_media_type', 'This address takes a submitted form.');
  const bytes = await readBounded(request);
  if (/^application\/x-www-form-urlencoded\b/i.test(type) && !isEncodedText(bytes))
    throw new AppError('invalid_input', 'The form contains characters that cannot be stored.');
  try {
    return [...(await new Response(bytes, { headers: { 'Content-Type': type } }).formData())];
  } catch (cause) {
    throw new AppError('invalid_input', 'The form could not be read. Please send it again.', { cause });
  }
}

// Reading would turn other bytes (a lone surrogate, Latin-1) into replacement characters without a word.
function isEncodedText(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  try {
    // A percent sign that encodes nothing stands for itself.
    decodeURIComponent(
      Buffer.from(bytes)
        .toString()
        .replace(/%(?![0-9a-f]{2})/gi, '%25'),
    );
    return true;
  } catch {
    return false;
  }
}

async function readBounded(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Node's streams iterate; the DOM's types do not know it.
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > FORM_MAX_BYTES) throw new AppError('payload_too_large', 'The form is too large.');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
