import type { App } from '#app/app.ts';
import { publicImage, type PublicImage } from './public-image.ts';

/** A picture of the media library by its address, `/uploads/…`; null for `''` and for one that is gone. */
export async function findPicture(
  { db }: { db: Pick<App['db'], 'media'> },
  address: string,
): Promise<PublicImage | null> {
  if (address === '') return null;
  const media = await db.media.findUnique({
    where: { path: address.replace(/^\/uploads\//, ''), trashedAt: null },
  });
  return media && publicImage(media);
}
