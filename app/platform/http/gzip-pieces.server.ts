import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A text that is compressed once and then joined with others to one gzip file (RFC 1952). */
export interface GzipPiece {
  /** Ends on a whole byte, and refers to nothing before it. */
  deflated: Buffer;
  /** Length of the text in bytes. */
  bytes: number;
  crc: number;
}

/** Half the time of the usual level, and no more bytes for a sitemap (measured). */
const LEVEL = 3;
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const LAST_BLOCK = Buffer.from([3, 0]);

export function gzipPiece(text: string): GzipPiece {
  const body = Buffer.from(text);
  const deflated = deflateRawSync(body, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH });
  // A copy: zlib's is a view into a larger buffer, all of which would stay in memory.
  return { deflated: Buffer.from(deflated), bytes: body.length, crc: crc32(body) };
}

/** One gzip file of all texts, in order. */
export function joinGzip(pieces: GzipPiece[]): Buffer<ArrayBuffer> {
  const end = Buffer.alloc(8);
  const crc = pieces.reduce((whole, piece) => combineCrc(whole, piece.crc, piece.bytes), 0);
  end.writeUInt32LE(crc, 0);
  end.writeUInt32LE(pieces.reduce((sum, { bytes }) => sum + bytes, 0) % 2 ** 32, 4);
  return Buffer.concat([HEADER, ...pieces.map(({ deflated }) => deflated), LAST_BLOCK, end]);
}

/** The size of a gzip file's content in bytes, modulo 4 GB. */
export function gunzippedBytes(file: Buffer): number {
  return file.readUInt32LE(file.length - 4);
}

// CRC-32 of two texts together, as zlib's `crc32_combine` does it: the first checksum times x^(8 * bytes of the
// second), modulo the polynomial. Bit 31 is x^0.
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

function combineCrc(first: number, second: number, secondBytes: number): number {
  return (multiply(powerOfX(secondBytes * 8), first) ^ second) >>> 0;
}

function powerOfX(exponent: number): number {
  let result = ONE;
  // x^1, x^2, x^4, …
  let square = ONE >>> 1;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiply(square, result);
    square = multiply(square, square);
  }
  return result;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = ONE, times = b; bit > 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= times;
    times = times & 1 ? (times >>> 1) ^ POLYNOMIAL : times >>> 1;
  }
  return product >>> 0;
}
