import type { Db } from '#app/platform/services.ts';
import { pictureColumns, publicImage, type MediaRow, type PublicImage } from './public-image.ts';

/** The columns of a post about its cover. */
export interface CoverRow {
  coverMediaId: string | null;
  coverFocus: string;
}

export type WithThumbnail<Row extends CoverRow> = Omit<Row, 'coverMediaId'> & { cover: PublicImage | null };

/** The columns that a list with small pictures reads of a post. */
export const thumbnailColumns = { coverMediaId: true, coverFocus: true } as const;

/**
 * The posts of such a list with their covers. Sends one query, and none if no post has a cover: Prisma would also query
 * the covers of no posts.
 */
export async function withThumbnails<Row extends CoverRow>(
  { db }: Db,
  rows: Row[],
): Promise<WithThumbnail<Row>[]> {
  const ids = rows.flatMap(({ coverMediaId }) => coverMediaId ?? []);
  const select = { id: true, ...pictureColumns } as const;
  const pictures = ids.length === 0 ? [] : await db.media.findMany({ where: { id: { in: ids } }, select });
  const covers = new Map(pictures.map((media) => [media.id, toThumbnail(media)]));
  return rows.map(({ coverMediaId, ...row }) => ({ ...row, cover: covers.get(coverMediaId ?? '') ?? null }));
}

/** A cover beside a title. It has no alternative text, since the title says more than a description. */
export function toThumbnail(cover: MediaRow): PublicImage {
  return publicImage(cover, '');
}
