import type { Feed, FeedItem } from './feed.ts';
import { cdata, element, emptyElement, htmlElement, xmlDocument } from './markup.ts';

/** RSS 2.0 with full content. `selfUrl`: the feed's own absolute address. */
export function renderRss(feed: Feed, selfUrl: string): string {
  return xmlDocument([
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    htmlElement('title', feed.title),
    element('link', feed.pageUrl),
    // RSS requires the element even for a site without a description.
    htmlElement('description', feed.description || feed.title),
    element('language', feed.language),
    feed.items.length > 0 ? element('lastBuildDate', feed.updatedAt.toUTCString()) : '',
    emptyElement('atom:link', { href: selfUrl, rel: 'self', type: 'application/rss+xml' }),
    feed.hub ? emptyElement('atom:link', { href: feed.hub, rel: 'hub' }) : '',
    ...feed.items.flatMap(itemLines),
    '</channel>',
    '</rss>',
  ]);
}

function itemLines(item: FeedItem): string[] {
  const { image } = item;
  return [
    '<item>',
    htmlElement('title', item.title),
    element('link', item.url),
    element('guid', item.id, { isPermaLink: 'false' }),
    element('pubDate', item.publishedAt.toUTCString()),
    element('dc:language', item.language),
    ...item.authors.map(({ name }) => element('dc:creator', name)),
    ...item.terms.map((term) => element('category', term)),
    htmlElement('description', item.excerpt),
    image
      ? emptyElement('enclosure', { url: image.url, length: String(image.bytes), type: image.mimeType })
      : '',
    `<content:encoded>${cdata(item.html)}</content:encoded>`,
    '</item>',
  ];
}
