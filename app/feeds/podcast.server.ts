import { createHash } from 'node:crypto';
import { uploadAddressOf } from '#app/media/library/path.ts';
import { decodePath } from '#app/posts/paths.ts';
import { addressIn } from './absolute-urls.ts';
import type { Feed, FeedItem } from './feed.ts';
import { cdata, element, emptyElement, xmlDocument } from './xml.ts';

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
