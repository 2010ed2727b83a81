import { createHash } from 'node:crypto';
import { headersOfFile } from '#app/media/encode/formats.ts';
import { uploadAddressOf } from '#app/media/library/path.ts';
import { listKey } from '#app/platform/http/page-keys.ts';
import type { Configured, Reading } from '#app/platform/services.ts';
import { listNewestArticles } from '#app/posts/lists/queries.server.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { decodePath, categoryPath, encodePath } from '#app/posts/paths.ts';
import { uploadPath } from '#app/posts/pictures/public-image.ts';
import { findPictures } from '#app/posts/pictures/queries.server.ts';
import { findTerm } from '#app/posts/terms/queries.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { type Feed, type FeedItem, toFeed } from './feed.ts';
import { addressIn, cdata, element, emptyElement, xmlDocument } from './markup.ts';
import { prefixed } from './queries.server.ts';

/** A show: a category's feed with the audio of its posts. */
export interface Podcast {
  feed: Feed;
  owner: string;
  /** Public; `''` for none. */
  email: string;
  /** One of Apple's categories. */
  subject: string;
  isExplicit: boolean;
  /** The show's picture, absolute. */
  imageUrl: string | null;
  episodes: { item: FeedItem; audio: EpisodeAudio }[];
}

interface EpisodeAudio {
  url: string;
  /** 0 if it is not known: the best practices of RSS for a file elsewhere. */
  bytes: number;
  mimeType: string;
  duration: string | null;
}

const ATOM = 'http://www.w3.org/2005/Atom';
const DC = 'http://purl.org/dc/elements/1.1/';
const CONTENT = 'http://purl.org/rss/1.0/modules/content/';
const ITUNES = 'http://www.itunes.com/dtds/podcast-1.0.dtd';
const PODCAST = 'https://podcastindex.org/namespace/1.0';

/**
 * RSS 2.0 with the tags of iTunes and Podcasting 2.0. Titles and descriptions are plain text: directories show them
 * as they are. `selfUrl`: the feed's own absolute address.
 */
export function renderPodcast(show: Podcast, selfUrl: string): string {
  const { feed, owner, email, imageUrl, episodes } = show;
  const explicit = element('itunes:explicit', String(show.isExplicit));
  const description = feed.description || feed.title;
  return xmlDocument([
    `<rss version="2.0" xmlns:atom="${ATOM}" xmlns:content="${CONTENT}" xmlns:dc="${DC}" xmlns:itunes="${ITUNES}" xmlns:podcast="${PODCAST}">`,
    '<channel>',
    element('title', feed.title),
    element('link', feed.pageUrl),
    element('description', description),
    element('language', feed.language),
    episodes.length > 0 ? element('lastBuildDate', feed.updatedAt.toUTCString()) : '',
    emptyElement('atom:link', { href: selfUrl, rel: 'self', type: 'application/rss+xml' }),
    element('itunes:author', owner),
    element('itunes:summary', description),
    element('itunes:type', 'episodic'),
    email
      ? `<itunes:owner>${element('itunes:name', owner)}${element('itunes:email', email)}</itunes:owner>`
      : '',
    explicit,
    emptyElement('itunes:category', { text: show.subject }),
    imageUrl ? emptyElement('itunes:image', { href: imageUrl }) : '',
    element('podcast:guid', guidOf(selfUrl)),
    element('podcast:locked', 'no', email ? { owner: email } : {}),
    element('podcast:medium', 'podcast'),
    ...episodes.flatMap((episode) => episodeLines(episode, explicit)),
    '</channel>',
    '</rss>',
  ]);
}

function episodeLines({ item, audio }: Podcast['episodes'][number], explicit: string): string[] {
  return [
    '<item>',
    element('title', item.title),
    element('itunes:title', item.title),
    element('link', item.url),
    element('dc:language', item.language),
    element('guid', item.id, { isPermaLink: 'false' }),
    element('pubDate', item.publishedAt.toUTCString()),
    emptyElement('enclosure', { url: audio.url, length: String(audio.bytes), type: audio.mimeType }),
    item.authors.length > 0 ? element('itunes:author', item.authors.map(({ name }) => name).join(', ')) : '',
    ...item.authors.map(({ name, url }) => element('podcast:person', name, url ? { href: url } : {})),
    element('description', item.excerpt),
    element('itunes:summary', item.excerpt),
    audio.duration ? element('itunes:duration', audio.duration) : '',
    explicit,
    element('itunes:episodeType', 'full'),
    item.image ? emptyElement('itunes:image', { href: item.image.url }) : '',
    `<content:encoded>${cdata(item.html)}</content:encoded>`,
    '</item>',
  ];
}

const AUDIO = /\.(mp3|m4a|ogg|oga|opus|wav|flac)$/i;
// Enough of a text to find its first player.
const SEARCHED = 200_000;

/** The first audio file that a text plays. */
export interface PlayedAudio {
  /** Below the uploads folder; null for a file elsewhere. */
  path: string | null;
  /** Without a fragment, such as the time at which the player begins. */
  address: string;
  /** As written in the text, such as `1:02:30`; null without one. */
  duration: string | null;
}

/** The first audio file of the library, or at an address with https, that a text plays; null without one. */
export function audioOf(html: string, siteUrl: string): PlayedAudio | null {
  let player = '';
  for (const [tag] of html.slice(0, SEARCHED).matchAll(/<(?:audio|source|img)\b[^>]*>/g)) {
    if (tag.startsWith('<audio')) player = tag;
    const address = addressIn(/\ssrc="([^"]+)"/.exec(tag)?.[1] ?? '').replace(/#.*$/s, '');
    const upload = uploadAddressOf(address, siteUrl);
    // Null for an address that no file has, such as `/uploads/100%.mp3`.
    const path = upload && decodePath(upload.slice('/uploads/'.length));
    if (AUDIO.test(upload ? (path ?? '') : pathElsewhere(address, siteUrl))) {
      const [, duration = null] =
        /\sdata-duration="([\d:]+)"/.exec(tag) ?? /\sdata-duration="([\d:]+)"/.exec(player) ?? [];
      return { path, address, duration };
    }
  }
  return null;
}

/** The path of an address of another site with https; `''` for any other address. */
function pathElsewhere(address: string, siteUrl: string): string {
  const isElsewhere = /^https:\/\//i.test(address) && !address.startsWith(`${siteUrl}/`);
  return isElsewhere && URL.canParse(address) ? new URL(address).pathname : '';
}

// The UUID namespace that Podcasting 2.0 defines for feeds.
const FEEDS = 'ead4c236bf5858c6a3d1b93d3d2ce0b3';

/** A UUIDv5 of the feed's address without its scheme, as Podcasting 2.0 wants it. */
function guidOf(selfUrl: string): string {
  const name = selfUrl.replace(/^https?:\/\//, '').replace(/\/$/, '');
  const hash = createHash('sha1').update(Buffer.from(FEEDS, 'hex')).update(name).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex').slice(0, 32);
  return [8, 4, 4, 4, 12]
    .reduce<string[]>((parts, length) => {
      const from = parts.join('').length;
      return [...parts, hex.slice(from, from + length)];
    }, [])
    .join('-');
}

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
  const category = await findTerm(app, 'category', slug, listedIn);
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
