import type { App } from '#app/app.ts';
import { publicImage } from '#app/posts/public-image.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { readCategoryFeed } from './queries.server.ts';
import { audioOf, type Podcast } from './podcast.server.ts';

/** A category's show; null where there is no such public category. Posts without audio are left out. */
export async function readPodcast(
  app: Pick<App, 'db' | 'env' | 'recordKeys'>,
  slug: string,
  listedIn: string,
): Promise<Podcast | null> {
  const feed = await readCategoryFeed(app, slug, listedIn);
  if (!feed) return null;
  const { siteUrl } = app.env;
  const spoken = feed.items.flatMap((item) => {
    const path = audioOf(item.html, siteUrl);
    return path === null ? [] : [{ item, path }];
  });
  const files = await app.db.media.findMany({
    where: { path: { in: spoken.map(({ path }) => path) }, trashedAt: null },
    select: { path: true, bytes: true, mimeType: true },
  });
  const settings = await readSettings(app);
  const logoPath = settings.site_logo.replace(/^\/uploads\//, '');
  const logo = logoPath === '' ? null : await app.db.media.findUnique({ where: { path: logoPath } });
  return {
    feed,
    owner: settings.site_title,
    imageUrl: logo ? siteUrl + publicImage(logo).src : null,
    episodes: spoken.flatMap(({ item, path }) => {
      const file = files.find((one) => one.path === path);
      return file
        ? [{ item, audio: { url: `${siteUrl}/uploads/${path}`, bytes: file.bytes, mimeType: file.mimeType } }]
        : [];
    }),
  };
}
