import type { Database } from '#app/platform/database/client.server.ts';
import { postKey } from '#app/platform/http/page-keys.ts';
import type { Reading, Db } from '#app/platform/services.ts';
import { publicImage, type PublicImage, pictureColumns, type MediaRow } from './public-image.ts';

type Reader = { db: Pick<Database, 'media'> };

/** A picture of the media library by its address, `/uploads/…`; null for `''` and for a deleted picture. */
export async function findPicture(app: Reader, address: string): Promise<PublicImage | null> {
  return (await findPictures(app, [address])).get(address) ?? null;
}

/** Pictures by their addresses, in one query. Deleted ones are left out. */
export async function findPictures({ db }: Reader, addresses: string[]): Promise<Map<string, PublicImage>> {
  const paths = addresses.filter(Boolean).map((address) => address.replace(PREFIX, ''));
  if (paths.length === 0) return new Map();
  const pictures = await db.media.findMany({ where: { path: { in: paths }, trashedAt: null } });
  return new Map(pictures.map((media) => [`${PREFIX}${media.path}`, publicImage(media)]));
}

const PREFIX = '/uploads/';

/** A narrower picture is an icon or a detail. */
const MIN_WIDTH = 480;
/** The first picture of a text that stands in this site's folder of files. HTML may name the words first. */
const OWN_PICTURE = /<img(?: alt="[^"]*")? src="(\/uploads\/[^"]+)"/;

/**
 * The first picture of each post's text, by the post's id; posts without one are left out. A cached page changes with
 * these posts' texts.
 */
export async function readFirstPictures(app: Reading, ids: string[]): Promise<Map<string, PublicImage>> {
  if (ids.length === 0) return new Map();
  app.recordKeys?.(...ids.map(postKey));
  const rows = await app.db.post.findMany({
    where: { id: { in: ids } },
    select: { id: true, bodyHtml: true },
  });
  const named = rows.flatMap(({ id, bodyHtml }) => {
    const address = OWN_PICTURE.exec(bodyHtml)?.[1];
    return address ? [{ id, address: decodeURI(address) }] : [];
  });
  const pictures = await findPictures(
    app,
    named.map(({ address }) => address),
  );
  return new Map(
    named.flatMap(({ id, address }) => {
      const picture = pictures.get(address);
      return picture && (picture.width ?? 0) >= MIN_WIDTH ? [[id, { ...picture, alt: '' }] as const] : [];
    }),
  );
}

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
