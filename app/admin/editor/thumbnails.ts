import { pictureColumns, publicImage } from '#app/posts/public-image.ts';

/** A small version of a picture, for choosing one. */
export interface Thumbnail {
  id: string;
  src: string;
  alt: string;
  name: string;
}

/** The columns of a media row that a thumbnail needs. */
export const thumbnailColumns = {
  id: true,
  ...pictureColumns,
  originalName: true,
} as const;

export function mediaThumbnail(
  row: Parameters<typeof publicImage>[0] & { id: string; originalName: string },
): Thumbnail {
  const image = publicImage(row);
  const smallest = image.srcSet.split(', ')[0]?.split(' ')[0];
  return { id: row.id, src: smallest || image.src, alt: row.alt, name: row.originalName };
}
