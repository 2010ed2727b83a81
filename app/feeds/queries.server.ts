import type { App } from '#app/app.ts';
import { categoryPath, encodePath, tagPath } from '#app/posts/paths.ts';
import { listNewestArticles, type ListScope } from '#app/posts/queries.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { findCategory, findTag } from '#app/taxonomy/queries.server.ts';
import { toFeed, type Feed } from './feed.ts';

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
