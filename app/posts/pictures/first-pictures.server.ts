import { postKey } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import { findPictures } from './find-picture.server.ts';
import type { PublicImage } from './public-image.ts';

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
