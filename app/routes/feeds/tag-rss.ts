import { renderRss } from '#app/feeds/rss.ts';
import { readTagFeed } from '#app/feeds/queries.server.ts';
import { readOnly } from '#app/platform/responses.ts';
import { serveTermFeed } from './serve.ts';

export const loader = serveTermFeed(async (app, slug, selfUrl) => {
  const feed = await readTagFeed(app, slug);
  return feed && renderRss(feed, selfUrl);
});

export const action = readOnly;
