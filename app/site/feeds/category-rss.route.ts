import { readCategoryFeed } from '#app/feeds/queries.server.ts';
import { renderRss } from '#app/feeds/rss.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { serveTermFeed } from './serve.server.ts';

export const loader = serveTermFeed(async (app, slug, { selfUrl, listedIn }) => {
  const feed = await readCategoryFeed(app, slug, listedIn);
  return feed && renderRss(feed, selfUrl);
});

export const action = readOnly;
