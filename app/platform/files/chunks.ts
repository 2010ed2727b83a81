import type { Readable } from 'node:stream';

/** The chunks of a stream of bytes. Node's types do not say what they are. */
export function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream;
}

/** The chunks of a web stream, which the types of browsers do not let iterate. A reader that stops early cancels it. */
export async function* chunksOfWeb(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The beginning of a text, at most `most` bytes of it. Reads no further. */
export async function readBeginning(chunks: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(read).subarray(0, most).toString('utf8');
}
