import { headersOfFile } from '#app/media/encode/file-formats.ts';
import { listKey } from '#app/platform/http/page-keys.ts';
import type { Configured, Reading } from '#app/platform/services.ts';
import { listNewestArticles } from '#app/posts/lists/queries.server.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { categoryPath, encodePath } from '#app/posts/paths.ts';
import { findPictures } from '#app/posts/pictures/find-picture.server.ts';
import { uploadPath } from '#app/posts/pictures/public-image.ts';
import { findCategory } from '#app/posts/terms/queries.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { toFeed } from './feed.ts';
import { audioOf, type Podcast } from './podcast.server.ts';
import { prefixed } from './queries.server.ts';

/** Directories drop an episode that a feed no longer names, so a show has more entries than other feeds. */
const POSTS_READ = 100;
/** The newest posts whose texts a category's page searches for an episode whose file is elsewhere. */
const TEXTS_READ = 10;

/** A category's show; null if there is no such public category. Posts without audio are left out. */
export async function readPodcast(
  app: Reading & Configured,
  slug: string,
  listedIn: string,
): Promise<Podcast | null> {
  const category = await findCategory(app, slug, listedIn);
  if (!category) return null;
  const { siteUrl } = app.env;
  const settings = await readSettings(app);
  const channel = {
    origin: siteUrl,
    path: encodePath(prefixed(listedIn, categoryPath(category.slug))),
    title: category.name,
    description: category.description || settings.site_description,
    language: listedIn || settings.site_language,
    hub: settings.websub_hub,
  };
  const scope = { categoryId: category.id, listedIn };
  const feed = toFeed(channel, await listNewestArticles(app, scope, POSTS_READ));
  const spoken = feed.items.flatMap((item) => {
    const audio = audioOf(item.html, siteUrl);
    return audio ? [{ item, ...audio }] : [];
  });
  const files = await app.db.media.findMany({
    where: { path: { in: spoken.flatMap(({ path }) => path ?? []) }, trashedAt: null },
    select: { path: true, bytes: true, mimeType: true },
  });
  const { site_logo: logo, site_icon: icon } = settings;
  const ofSite = await findPictures(app, [logo, icon]);
  const picture = category.picture ?? ofSite.get(logo) ?? ofSite.get(icon);
  return {
    feed,
    owner: settings.site_title,
    email: settings.podcast_email,
    subject: settings.podcast_category,
    isExplicit: settings.podcast_explicit,
    imageUrl: picture ? siteUrl + picture.src : null,
    episodes: spoken.flatMap(({ item, path, address, duration }) => {
      if (path === null)
        return [{ item, audio: { url: address, bytes: 0, mimeType: typeOf(address), duration } }];
      const file = files.find((candidate) => candidate.path === path);
      if (!file) return [];
      const { bytes, mimeType } = file;
      return [{ item, audio: { url: siteUrl + uploadPath(path), bytes, mimeType, duration } }];
    }),
  };
}

/** Whether a category's show has an episode. */
export async function hasPodcast(
  app: Reading & Configured,
  scope: { categoryId: string; listedIn: string },
): Promise<boolean> {
  app.recordKeys?.(listKey(scope));
  const newest = await app.db.post.findMany({
    where: { ...isPublic, ...scope },
    select: { id: true },
    orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
    take: POSTS_READ,
  });
  const ids = newest.map(({ id }) => id);
  // Which posts play a file of the library is stored. A file elsewhere is looked for in a few texts only: to read all of
  // them takes as long as the rest of a category's page. A change of the episodes also changes the list's page key.
  const withFiles = await app.db.fileMention.groupBy({
    by: ['owner'],
    where: { kind: 'post', owner: { in: ids } },
  });
  const players = await app.db.post.findMany({
    where: {
      id: { in: [...withFiles.map(({ owner }) => owner), ...ids.slice(0, TEXTS_READ)] },
      bodyHtml: { contains: '<audio' },
    },
    select: { bodyHtml: true },
  });
  return players.some(({ bodyHtml }) => audioOf(bodyHtml, app.env.siteUrl) !== null);
}

/** The type of an audio file elsewhere, by its ending, which is that of a format of the library. */
function typeOf(address: string): string {
  const name = new URL(address).pathname.toLowerCase().replace(/oga$/, 'ogg');
  return headersOfFile(name)!['Content-Type']!;
}
