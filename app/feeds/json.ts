import type { Feed, FeedItem } from './feed.ts';

/** JSON Feed 1.1 with full content. `selfUrl`: the feed's own absolute address. */
export function renderJsonFeed(feed: Feed, selfUrl: string): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.pageUrl,
    feed_url: selfUrl,
    hubs: feed.hub ? [{ type: 'WebSub', url: feed.hub }] : undefined,
    description: feed.description || undefined,
    language: feed.language,
    items: feed.items.map(toJsonItem),
  });
}

// `undefined` members are left out by JSON.stringify; the format knows no nulls.
function toJsonItem(item: FeedItem) {
  const { authors, image } = item;
  return {
    id: item.id,
    url: item.url,
    language: item.language || undefined,
    title: item.title || undefined,
    summary: item.excerpt || undefined,
    content_html: item.html,
    image: image?.url,
    date_published: item.publishedAt.toISOString(),
    date_modified: item.updatedAt.toISOString(),
    authors: authors.length > 0 ? authors : undefined,
    tags: item.terms.length > 0 ? item.terms : undefined,
  };
}
