import type { Configured, Reading } from '#app/platform/services.ts';
import { findAuthor, listNewestArticles, type ListScope } from '#app/posts/lists/queries.server.ts';
import { categoryPath, encodePath, tagPath } from '#app/posts/paths.ts';
import { findTerm } from '#app/posts/terms/queries.server.ts';
import { postsPathOf } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { toFeed, type Feed } from './feed.ts';

type FeedApp = Reading & Configured;

/** The feed of the whole site. */
export async function readSiteFeed(app: FeedApp, listedIn = ''): Promise<Feed> {
  return readFeed(app, { path: prefixed(listedIn, '/'), scope: { listedIn } });
}

/** A category's feed; null if there is no such public category. */
export async function readCategoryFeed(app: FeedApp, slug: string, listedIn = ''): Promise<Feed | null> {
  const category = await findTerm(app, 'category', slug, listedIn);
  if (!category) return null;
  return readFeed(app, {
    path: prefixed(listedIn, categoryPath(category.slug)),
    term: category,
    scope: { categoryId: category.id, listedIn },
  });
}

/** A tag's feed; null if there is no such public tag. */
export async function readTagFeed(app: FeedApp, slug: string, listedIn = ''): Promise<Feed | null> {
  const tag = await findTerm(app, 'tag', slug, listedIn);
  if (!tag) return null;
  return readFeed(app, {
    path: prefixed(listedIn, tagPath(tag.slug)),
    term: tag,
    scope: { tagId: tag.id, listedIn },
  });
}

/** An author's feed; null for an author without published posts. */
export async function readAuthorFeed(app: FeedApp, username: string, listedIn = ''): Promise<Feed | null> {
  const author = await findAuthor(app, username, listedIn);
  if (!author) return null;
  return readFeed(app, {
    path: prefixed(listedIn, `/authors/${author.username}`),
    term: { name: author.displayName, description: author.bio },
    scope: { authorId: author.id, listedIn },
  });
}

/** The path of a list. The path in another language begins with its tag. */
export function prefixed(listedIn: string, path: string): string {
  if (listedIn === '') return path;
  return path === '/' ? `/${listedIn}` : `/${listedIn}${path}`;
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
    path: encodePath(path === '/' ? postsPathOf(settings) : path),
    title: term ? `${term.name} · ${settings.site_title}` : settings.site_title,
    description: term ? term.description : settings.site_description,
    language: scope.listedIn || settings.site_language,
    hub: settings.websub_hub,
  };
  return toFeed(channel, articles);
}
