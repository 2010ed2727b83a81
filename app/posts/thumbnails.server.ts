import type { App } from '#app/app.ts';
import { pictureColumns, publicImage, type MediaRow, type PublicImage } from './public-image.ts';

/** What a post says of its cover. */
export interface CoverRow {
  coverMediaId: string | null;
  coverFocus: string;
}

export type WithThumbnail<Row extends CoverRow> = Omit<Row, 'coverMediaId'> & { cover: PublicImage | null };

/** What a list with small pictures reads of a post. */
export const thumbnailColumns = { coverMediaId: true, coverFocus: true } as const;

/**
 * The posts of such a list with their covers, which one query reads, and none where no post has one: Prisma would ask
 * for the covers of no posts, too.
 */
export async function withThumbnails<Row extends CoverRow>(
  { db }: Pick<App, 'db'>,
  rows: Row[],
): Promise<WithThumbnail<Row>[]> {
  const ids = rows.flatMap(({ coverMediaId }) => coverMediaId ?? []);
  const select = { id: true, ...pictureColumns } as const;
  const found = ids.length === 0 ? [] : await db.media.findMany({ where: { id: { in: ids } }, select });
  const covers = new Map(found.map((media) => [media.id, toThumbnail(media)]));
  return rows.map(({ coverMediaId, ...row }) => ({ ...row, cover: covers.get(coverMediaId ?? '') ?? null }));
}

/** The cover beside a title, which says more than a description of the picture. */
export function toThumbnail(cover: MediaRow): PublicImage {
  return publicImage(cover, '');
}
