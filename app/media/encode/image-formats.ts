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
