import { SITEMAP_KEY } from '#app/platform/http/page-keys.ts';
import type { Configured, Reading } from '#app/platform/services.ts';
import { isListed } from '#app/posts/lists/lists.ts';
import { postPath } from '#app/posts/paths.ts';
import { pictureColumns, publicImage } from '#app/posts/pictures/public-image.ts';
import { renderSitemap, SITEMAP_URL_LIMIT } from './sitemap.ts';

/** The sitemap of the posts in another language, newest first. */
export async function renderLanguageSitemap(app: Reading & Configured, listedIn: string): Promise<string> {
  app.recordKeys?.(SITEMAP_KEY);
  const rows = await app.db.post.findMany({
    where: isListed(listedIn),
    select: { slug: true, contentUpdatedAt: true, coverMedia: { select: pictureColumns } },
    orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
    take: SITEMAP_URL_LIMIT,
  });
  const urls = rows.map(({ slug, contentUpdatedAt, coverMedia }) => ({
    path: postPath(slug),
    lastModified: contentUpdatedAt.toISOString(),
    image: coverMedia ? publicImage(coverMedia).src : undefined,
  }));
  return renderSitemap(app.env.siteUrl, urls);
}
