import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { encodingOf, forbiddenInXml } from '#app/import/source/read-text.server.ts';
import { chunksOf } from '#app/platform/files/chunks.ts';

const CHUNK_BYTES = 1 << 20;
const HEAD_BYTES = 1_000;

export interface TextEncoding {
  /** The name that `TextDecoder` takes. */
  label: string;
  /** A note for the report when the file's encoding is not the declared one; otherwise null. */
  note: string | null;
}

/**
 * The real encoding of a file. A file that can be read as UTF-8 counts as UTF-8, whatever its first line declares:
 * WordPress declares the blog's setting but does not convert the bytes.
 */
export async function findEncoding(file: string): Promise<TextEncoding> {
  const head = await readHead(file);
  const marked = encodingOf(head);
  if (marked !== 'utf-8') return { label: marked, note: null };
  const declared = declaredEncoding(head.toString('latin1'));
  const { valid, invalid } = await countSequences(file);
  const isDeclaredUtf8 = declared === 'utf-8';
  if (invalid === 0) {
    const isDeclaredWrongly = valid > 0 && !isDeclaredUtf8;
    return {
      label: 'utf-8',
      note: isDeclaredWrongly ? `The file says that it is ${declared}; it is UTF-8.` : null,
    };
  }
  if (valid > invalid)
    return { label: 'utf-8', note: 'The file has bytes that are not UTF-8; they were replaced by �.' };
  const label = isDeclaredUtf8 ? 'windows-1252' : declared;
  const note = isDeclaredUtf8 ? 'The file says that it is UTF-8; it was read as Windows-1252.' : null;
  return { label, note };
}

/** The file's text in pieces, without characters that XML cannot hold. */
export async function* readText(
  file: string,
  label: string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder(label);
  for await (const chunk of chunksOf(createReadStream(file, { highWaterMark: CHUNK_BYTES }))) {
    onRead(chunk.length);
    yield decoder.decode(chunk, { stream: true }).replace(forbiddenInXml, '');
  }
  yield decoder.decode().replace(forbiddenInXml, '');
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function declaredEncoding(head: string): string {
  const label = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}

/** Counts characters beyond ASCII that are well-formed UTF-8 (`valid`), and bytes that are not (`invalid`). */
async function countSequences(file: string): Promise<{ valid: number; invalid: number }> {
  let valid = 0;
  let invalid = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(createReadStream(file, { highWaterMark: CHUNK_BYTES }))) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = lengthOfWholeCharacters(bytes);
    rest = Buffer.from(bytes.subarray(end));
    const part = bytes.subarray(0, end);
    if (isUtf8(part)) valid ||= isAscii(part) ? 0 : 1;
    else {
      const text = new TextDecoder().decode(part);
      const replaced = text.split('\uFFFD').length - 1;
      invalid += replaced;
      valid += (text.match(/[\u0080-\uFFFC]/g) ?? []).length;
    }
  }
  return { valid, invalid: invalid + (rest.length > 0 && !isUtf8(rest) ? 1 : 0) };
}

// The number of bytes that are whole characters for certain: the next chunk may continue the last one.
function lengthOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return bytes.length - back;
  }
  return bytes.length;
}
