import type { Database } from '#app/platform/database/client.server.ts';
import { publicImage, type PublicImage } from './public-image.ts';

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
