import type { ImageFormat } from './image-formats.ts';

/**
 * True when a file consists of nothing but the parts that make up the picture, as our own encoder writes
 * them: no EXIF, no comments, no colour profiles, no foreign chunks, nothing after the end. Says nothing about
 * the pixel data itself: whoever relies on this decodes the picture too.
 */
export function isPlainPicture(bytes: Uint8Array, format: ImageFormat): boolean {
  try {
    return readers[format](new Cursor(bytes));
  } catch (error) {
    // Reading beyond the end: the file is not whole.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const readers: Record<ImageFormat, (cursor: Cursor) => boolean> = {
  jpeg: isPlainJpeg,
  png: isPlainPng,
  webp: isPlainWebp,
  gif: isPlainGif,
  avif: isPlainAvif,
};

function isPlainPng(cursor: Cursor): boolean {
  const allowed = new Set(['IHDR', 'PLTE', 'tRNS', 'pHYs', 'IDAT']);
  cursor.skip(8);
  for (;;) {
    const length = cursor.uint32();
    const type = cursor.text(4);
    if (type === 'IEND') return length === 0 && cursor.skip(4).atEnd;
    // pHYs is 9 bytes: pixels per metre.
    if (!allowed.has(type) || (type === 'pHYs' && length !== 9)) return false;
    cursor.skip(length + 4);
  }
}

// Tables, frame, scans; of the application segments only a JFIF header without a thumbnail.
function isPlainJpeg(cursor: Cursor): boolean {
  const tables = new Set([0xdb, 0xc4, 0xdd, 0xc0, 0xc1, 0xc2]);
  cursor.skip(2);
  for (;;) {
    if (cursor.uint8() !== 0xff) return false;
    const marker = cursor.uint8();
    if (marker === 0xd9) return cursor.atEnd;
    const length = cursor.uint16();
    if (marker === 0xe0) {
      if (length !== 16 || cursor.text(5) !== 'JFIF\0') return false;
      cursor.skip(length - 7);
    } else if (tables.has(marker)) cursor.skip(length - 2);
    else if (marker === 0xda) cursor.skip(length - 2).skipScan();
    else return false;
  }
}

function isPlainWebp(cursor: Cursor): boolean {
  cursor.skip(4);
  if (cursor.uint32(true) !== cursor.left) return false;
  cursor.skip(4);
  const outer = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);
  const inFrame = new Set(['VP8 ', 'VP8L', 'ALPH']);
  const areChunks = (end: number, allowed: Set<string>): boolean => {
    while (cursor.position < end) {
      const type = cursor.text(4);
      const length = cursor.uint32(true);
      const next = cursor.position + length + (length % 2);
      if (!allowed.has(type) || next > end) return false;
      // A frame is 16 bytes of header and chunks of its own.
      if (type === 'ANMF' && !(cursor.skip(16) && areChunks(next, inFrame))) return false;
      cursor.skip(next - cursor.position);
    }
    return cursor.position === end;
  };
  return areChunks(cursor.position + cursor.left, outer);
}

function isPlainGif(cursor: Cursor): boolean {
  cursor.skip(10);
  const flags = cursor.uint8();
  cursor.skip(2);
  skipColours(cursor, flags);
  for (;;) {
    const block = cursor.uint8();
    if (block === 0x3b) return cursor.atEnd;
    if (block === 0x2c) {
      cursor.skip(8);
      skipColours(cursor, cursor.uint8());
      cursor.skip(1).skipBlocks();
    } else if (block === 0x21) {
      const label = cursor.uint8();
      const isLoop = label === 0xff && cursor.uint8() === 11 && cursor.text(11) === 'NETSCAPE2.0';
      if (label !== 0xf9 && !isLoop) return false;
      cursor.skipBlocks();
    } else return false;
  }
}

function skipColours(cursor: Cursor, flags: number): void {
  if ((flags & 0x80) !== 0) cursor.skip(3 * 2 ** ((flags & 7) + 1));
}

function isPlainAvif(cursor: Cursor): boolean {
  const boxes: string[] = [];
  while (!cursor.atEnd) {
    const length = cursor.uint32();
    const type = cursor.text(4);
    if (length < 8) return false;
    const content = cursor.text(length - 8);
    boxes.push(type);
    // Items that are no picture: EXIF, XMP, anything at all.
    if (type === 'meta' && /Exif|mime|uri |uuid|free|skip|colrprof|colrrICC/.test(content)) return false;
  }
  return boxes.join() === 'ftyp,meta,mdat';
}

/** Reads numbers one after the other; beyond the end it throws a RangeError. */
class Cursor {
  position = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.position;
  }

  get atEnd(): boolean {
    return this.left === 0;
  }

  skip(count: number): this {
    if (count < 0 || count > this.left) throw new RangeError('beyond the end');
    this.position += count;
    return this;
  }

  uint8(): number {
    this.skip(1);
    return this.bytes[this.position - 1]!;
  }

  uint16(): number {
    this.skip(2);
    return this.view.getUint16(this.position - 2);
  }

  uint32(littleEndian = false): number {
    this.skip(4);
    return this.view.getUint32(this.position - 4, littleEndian);
  }

  text(length: number): string {
    this.skip(length);
    return new TextDecoder('latin1').decode(this.bytes.subarray(this.position - length, this.position));
  }

  /** Sub-blocks of a GIF: a length and as many bytes, until one of none. */
  skipBlocks(): void {
    for (let length = this.uint8(); length > 0; length = this.uint8()) this.skip(length);
  }

  /** Compressed data of a JPEG: up to the next marker that is none of its own. */
  skipScan(): void {
    for (;;) {
      if (this.uint8() !== 0xff) continue;
      const next = this.uint8();
      if (next === 0 || (next >= 0xd0 && next <= 0xd7)) continue;
      this.position -= 2;
      return;
    }
  }
}
