import { pictureColumns, publicImage } from '#app/posts/public-image.ts';

/** An image small enough to choose by. */
export interface Thumbnail {
  id: string;
  src: string;
  alt: string;
  name: string;
}

/** What a thumbnail reads of a media row. */
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
