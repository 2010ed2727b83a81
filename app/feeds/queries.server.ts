import type { App } from '#app/app.ts';
import { SITEMAP_KEY } from '#app/platform/page-keys.ts';
import { categoryPath, encodePath, tagPath } from '#app/posts/paths.ts';
import { listNewestArticles, type ListScope } from '#app/posts/queries.server.ts';
import { publicImage } from '#app/posts/public-image.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { findCategory, findTag } from '#app/taxonomy/queries.server.ts';
import { toFeed, type Feed } from './feed.ts';
import { SITEMAP_URL_LIMIT, type SitemapUrl } from './sitemap.ts';

type FeedApp = Pick<App, 'db' | 'env' | 'recordKeys'>;

/** The feed of the whole site. */
export async function readSiteFeed(app: FeedApp): Promise<Feed> {
  return readFeed(app, { path: '/' });
}

/** A category's feed; null where there is no such public category. */
export async function readCategoryFeed(app: FeedApp, slug: string): Promise<Feed | null> {
  const category = await findCategory(app, slug);
  if (!category) return null;
  return readFeed(app, {
    path: categoryPath(category.slug),
    term: category,
    scope: { categoryId: category.id },
  });
}

/** A tag's feed; null where there is no such public tag. */
export async function readTagFeed(app: FeedApp, slug: string): Promise<Feed | null> {
  const tag = await findTag(app, slug);
  if (!tag) return null;
  return readFeed(app, { path: tagPath(tag.slug), term: tag, scope: { tagId: tag.id } });
}

async function readFeed(
  app: FeedApp,
  {
    path,
    term,
    scope = {},
  }: { path: string; term?: { name: string; description: string }; scope?: ListScope },
): Promise<Feed> {
  const settings = await readSettings(app);
  const articles = await listNewestArticles(app, scope, settings.feed_items);
  const channel = {
    origin: app.env.siteUrl,
    path: encodePath(path),
    title: term ? `${term.name} · ${settings.site_title}` : settings.site_title,
    description: term ? term.description : settings.site_description,
    language: settings.site_language,
  };
  return toFeed(channel, articles);
}

/** How many files the sitemap has: 1, or more where its URLs do not fit into one. */
export async function countSitemapParts(app: Pick<App, 'db' | 'recordKeys'>): Promise<number> {
  app.recordKeys?.(SITEMAP_KEY);
  const count = await app.db.sitemapEntry.count({ where: isPublic });
  return Math.max(1, Math.ceil(count / SITEMAP_URL_LIMIT));
}

/** The URLs of one part (from 1), in the posts' order of creation. */
export async function listSitemapUrls(
  app: Pick<App, 'db' | 'recordKeys'>,
  part: number,
): Promise<SitemapUrl[]> {
  app.recordKeys?.(SITEMAP_KEY);
  const rows = await app.db.sitemapEntry.findMany({
    where: isPublic,
    select: {
      path: true,
      lastModified: true,
      post: { select: { coverMedia: { select: imageColumns } } },
    },
    orderBy: [{ postId: 'asc' }, { path: 'asc' }],
    skip: (part - 1) * SITEMAP_URL_LIMIT,
    take: SITEMAP_URL_LIMIT,
  });
  return rows.map(({ path, lastModified, post: { coverMedia } }) => ({
    path,
    lastModified,
    image: coverMedia ? publicImage(coverMedia).src : undefined,
  }));
}

// The rows follow the posts in one transaction; the condition says once more what must never slip.
const isPublic = { post: { status: 'published' } } as const;
const imageColumns = {
  path: true,
  width: true,
  height: true,
  alt: true,
  variants: true,
  mimeType: true,
  bytes: true,
};
