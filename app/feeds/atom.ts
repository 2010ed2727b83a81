import type { Feed, FeedItem } from './feed.ts';
import { element, emptyElement, xmlDocument } from './markup.ts';

/**
 * Atom (RFC 4287) with full content. Elements without a `type` are plain text, by the format. `selfUrl`: the feed's own
 * absolute address, which is its id too.
 */
export function renderAtom(feed: Feed, selfUrl: string): string {
  return xmlDocument([
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">`,
    element('id', selfUrl),
    element('title', feed.title),
    element('subtitle', feed.description),
    element('updated', feed.updatedAt.toISOString()),
    emptyElement('link', { rel: 'self', type: 'application/atom+xml', href: selfUrl }),
    feed.hub ? emptyElement('link', { rel: 'hub', href: feed.hub }) : '',
    emptyElement('link', { rel: 'alternate', type: 'text/html', href: feed.pageUrl }),
    // An entry without an author is valid only in a feed that has one.
    `<author>${element('name', feed.title)}</author>`,
    ...feed.items.flatMap(entryLines),
    '</feed>',
  ]);
}

function entryLines(item: FeedItem): string[] {
  const { image } = item;
  return [
    // Also for title and summary, which are plain text.
    item.language ? `<entry xml:lang="${item.language}">` : '<entry>',
    element('id', item.uri),
    element('title', item.title),
    emptyElement('link', { rel: 'alternate', type: 'text/html', href: item.url }),
    image
      ? emptyElement('link', {
          rel: 'enclosure',
          type: image.mimeType,
          length: String(image.bytes),
          href: image.url,
        })
      : '',
    element('published', item.publishedAt.toISOString()),
    element('updated', item.updatedAt.toISOString()),
    ...item.authors.map(
      ({ name, url }) => `<author>${element('name', name)}${url ? element('uri', url) : ''}</author>`,
    ),
    ...item.terms.map((term) => emptyElement('category', { term: term })),
    element('summary', item.excerpt),
    element('content', item.html, { type: 'html' }),
    '</entry>',
  ];
}
