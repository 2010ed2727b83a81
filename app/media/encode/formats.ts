export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';

interface FormatFacts {
  extension: string;
  mimeType: string;
}

/** A smaller copy, as `Media.variants` lists them (JSON). */
export interface MediaVariant {
  /** Below the uploads folder. */
  path: string;
  width: number;
  height: number;
  mimeType: string;
  bytes: number;
}

/** The formats that are stored. SVG is a page with scripts, so it is not among them. */
export const imageFormats: Record<ImageFormat, FormatFacts> = {
  jpeg: { extension: 'jpg', mimeType: 'image/jpeg' },
  png: { extension: 'png', mimeType: 'image/png' },
  webp: { extension: 'webp', mimeType: 'image/webp' },
  gif: { extension: 'gif', mimeType: 'image/gif' },
  avif: { extension: 'avif', mimeType: 'image/avif' },
};

/** For a form's `accept`. */
export const acceptedTypes = Object.values(imageFormats)
  .map(({ mimeType }) => mimeType)
  .join(',');

const imageSignatures: [ImageFormat, RegExp][] = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
  ['gif', /^GIF8[79]a/],
  ['avif', /^[\s\S]{4}ftyp(avif|avis)/],
];

/** The format by the first bytes, whatever the file's name is; null for an unknown format. */
export function formatOf(bytes: Uint8Array): ImageFormat | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return imageSignatures.find(([, signature]) => signature.test(head))?.[0] ?? null;
}

/** Sounds, films and documents, which are stored unchanged. */
export const fileFormats = {
  mp3: { extension: 'mp3', mimeType: 'audio/mpeg' },
  m4a: { extension: 'm4a', mimeType: 'audio/mp4' },
  ogg: { extension: 'ogg', mimeType: 'audio/ogg' },
  opus: { extension: 'opus', mimeType: 'audio/ogg' },
  wav: { extension: 'wav', mimeType: 'audio/wav' },
  flac: { extension: 'flac', mimeType: 'audio/flac' },
  mp4: { extension: 'mp4', mimeType: 'video/mp4' },
  mov: { extension: 'mov', mimeType: 'video/quicktime' },
  webm: { extension: 'webm', mimeType: 'video/webm' },
  pdf: { extension: 'pdf', mimeType: 'application/pdf' },
} as const;

export type FileFormat = keyof typeof fileFormats;

/** Ending and type of a file that is stored unchanged, such as a GIF that is too large to be encoded again. */
export function storedAs(format: FileFormat | 'gif'): { extension: string; mimeType: string } {
  return format === 'gif' ? imageFormats.gif : fileFormats[format];
}

/** Bytes that are enough to recognise a format. */
export const SNIFFED_BYTES = 4_096;

const signatures: [FileFormat, RegExp][] = [
  // A tag, or the first frame: MPEG 1, 2 or 2.5, layer 3, with a bit rate and a sample rate that exist.
  ['mp3', /^(?:ID3[\x02-\x04]|\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\xeb])/],
  ['m4a', /^[\s\S]{4}ftypM4[AB] /],
  ['mp4', /^[\s\S]{4}ftyp(?:isom|iso[2-9]|mp4[12]|avc1|M4V |MSNV|dash|f4v )/],
  ['mov', /^[\s\S]{4}ftypqt {2}/],
  ['opus', /^OggS\x00[\s\S]{22}[\s\S]{1,2}OpusHead/],
  ['ogg', /^OggS\x00[\s\S]{22}[\s\S]{1,2}(?:\x01vorbis|\x7fFLAC|Speex {3})/],
  ['wav', /^RIFF[\s\S]{4}WAVE/],
  ['flac', /^fLaC/],
  // The document type is among the first fields of the header.
  ['webm', /^\x1aE\xdf\xa3[\s\S]{0,60}\x42\x82\x84webm/],
  ['pdf', /^%PDF-[12]\./],
];

/**
 * The format by the first bytes; null for pictures and unknown formats. The name decides only where a sound and a film
 * begin alike: many programs give a sound the brand of a film.
 */
export function fileFormatOf(head: Uint8Array, name: string): FileFormat | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 128)).toString('latin1');
  const format = signatures.find(([, signature]) => signature.test(text))?.[0] ?? null;
  return format === 'mp4' && /\.m4[ab]$/i.test(name) ? 'm4a' : format;
}

/** The kind of a stored file, for people. */
export type MediaKind = (typeof mediaKinds)[number];

export const mediaKinds = ['image', 'video', 'audio', 'document'] as const;

export function mediaKindOf(mimeType: string): MediaKind {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
}

const mimeTypes = new Set<string>(
  [...Object.values(imageFormats), ...Object.values(fileFormats)].map(({ mimeType }) => mimeType),
);

/** The types of a kind's files. */
export function mimeTypesOf(kind: MediaKind): string[] {
  return [...mimeTypes].filter((mimeType) => mediaKindOf(mimeType) === kind);
}

const typeOf = new Map<string, string>(
  [...Object.values(imageFormats), ...Object.values(fileFormats)].map(({ extension, mimeType }) => [
    extension,
    mimeType,
  ]),
);

/**
 * The headers for a stored file, by its name; null for a name that no upload has made. A document can only be
 * downloaded: nothing in it opens as a page of this site.
 */
export function headersOfFile(path: string): Record<string, string> | null {
  const type = typeOf.get(path.slice(path.lastIndexOf('.') + 1));
  if (type === undefined) return null;
  const isDocument = mediaKindOf(type) === 'document';
  return { 'Content-Type': type, ...(isDocument && { 'Content-Disposition': 'attachment' }) };
}

/** For a form's `accept`: everything that the library takes. */
export const acceptedFiles = [...typeOf.keys()].map((extension) => `.${extension}`).join(',');

/** For people whose animation became a picture that stands still. */
export const STILL_MESSAGE =
  'Only the first picture of this animation is stored. To keep it moving, send a GIF or an animated WebP.';

/**
 * True for an animation of which only the first picture can be read here: PNG and AVIF. GIF and WebP keep moving.
 */
export function losesAnimation(bytes: Buffer): boolean {
  return isAnimatedPng(bytes) || isAvifSequence(bytes);
}

/** An animated PNG says the number of its frames in a chunk before its first picture. */
function isAnimatedPng(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return false;
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'acTL') return bytes.readUInt32BE(at + 8) > 1;
    if (kind === 'IDAT') return false;
  }
  return false;
}

/** The first box of an AVIF file names the brands; `avis` is a sequence of pictures. */
function isAvifSequence(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256));
  return brands.includes('avis');
}
