import { imageFormats } from '#app/media/encode/formats.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { encodePath } from '#app/posts/paths.ts';

/** An image as an `<img>` needs it; paths begin with `/uploads/`. */
export interface PublicImage {
  src: string;
  /** `''` where there are no smaller copies. */
  srcSet: string;
  /** The same picture as AVIF; `''` where there are no such copies. */
  avifSrcSet: string;
  alt: string;
  width: number | null;
  height: number | null;
  mimeType: string;
  bytes: number;
  /** `#rrggbb`, shown in its place until it has loaded; `''` for none. */
  color: string;
}

/** What a page reads of a media row to show its picture. */
export const pictureColumns = {
  ...{ path: true, width: true, height: true, alt: true },
  /** JSON `[{path, width, height, mimeType, bytes}]`. */
  ...{ variants: true, mimeType: true, bytes: true, color: true },
} as const;

export type MediaRow = Prisma.MediaGetPayload<{ select: typeof pictureColumns }>;

interface Variant {
  path: string;
  width: number;
  mimeType: string;
}

export const AVIF = imageFormats.avif.mimeType;

/** A media row as an image. `alt`: the description in this use; by default, that of the library. */
export function publicImage(media: MediaRow, alt = media.alt): PublicImage {
  const src = uploadPath(media.path);
  const copies = (JSON.parse(media.variants) as Variant[]).filter(({ path }) => path !== media.path);
  const sources = sourcesOf(copies.filter(({ mimeType }) => mimeType !== AVIF));
  if (sources.length > 0 && media.width) sources.push(`${src} ${media.width}w`);
  return {
    src,
    srcSet: sources.join(', '),
    avifSrcSet: sourcesOf(copies.filter(({ mimeType }) => mimeType === AVIF)).join(', '),
    alt,
    width: media.width,
    height: media.height,
    mimeType: media.mimeType,
    bytes: media.bytes,
    color: media.color,
  };
}

function sourcesOf(copies: Variant[]): string[] {
  return copies.map(({ path, width }) => `${uploadPath(path)} ${width}w`);
}

/** The address of a stored file, percent-encoded. */
export function uploadPath(path: string): string {
  return encodePath(`/uploads/${path}`);
}

/** Matches a `<picture>`, which has its own sources, or an `<img>`. A quoted value may contain `>`. */
const PICTURE = /<picture[\s>][\s\S]*?<\/picture>|<img(?:[^>"]|"[^"]*")*>/g;

/**
 * Offers the AVIF copies of a rendered text's own pictures in a `<picture>` around each `<img>`. The text may have been
 * rendered before the copies were made.
 */
export function offerAvif(
  html: string,
  pictures: readonly Pick<PublicImage, 'srcSet' | 'avifSrcSet'>[],
): string {
  const offered = new Map(
    pictures.flatMap(({ srcSet, avifSrcSet }) => (srcSet && avifSrcSet ? [[srcSet, avifSrcSet]] : [])),
  );
  if (offered.size === 0) return html;
  return html.replace(PICTURE, (found) => {
    const srcSet = found.startsWith('<img') ? /\ssrcset="([^"]*)"/.exec(found)?.[1] : undefined;
    const avif = srcSet && offered.get(srcSet);
    if (!avif) return found;
    const sizes = /\ssizes="[^"]*"/.exec(found)?.[0] ?? '';
    return `<picture><source type="${AVIF}" srcset="${avif}"${sizes}>${found}</picture>`;
  });
}
