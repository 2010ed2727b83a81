import { mediaKindOf, type MediaKind } from '#app/media/encode/formats.ts';
import { encodePath } from '#app/posts/paths.ts';
import { publicImage, type MediaRow } from '#app/posts/pictures/public-image.ts';

/** A file as the library shows it. */
export interface MediaCard {
  id: string;
  name: string;
  alt: string;
  /** The smallest copy of a picture. */
  thumbnail: string;
  /** The encoded path for use in a post's text: `/uploads/…`. */
  url: string;
  kind: MediaKind;
  width: number | null;
  height: number | null;
  bytes: number;
  createdAt: Date;
}

export function mediaCard(row: MediaRow & { id: string; originalName: string; createdAt: Date }): MediaCard {
  const image = publicImage(row);
  const smallest = image.srcSet.split(', ')[0]?.split(' ')[0];
  return {
    id: row.id,
    name: row.originalName,
    alt: row.alt,
    thumbnail: smallest || image.src,
    url: encodePath(`/uploads/${row.path}`),
    kind: mediaKindOf(row.mimeType),
    width: row.width,
    height: row.height,
    bytes: row.bytes,
    createdAt: row.createdAt,
  };
}

/** A size in decimal kB or MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
