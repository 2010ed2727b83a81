import { readAuthorFeed } from '#app/feeds/queries.server.ts';
import { renderRss } from '#app/feeds/rss.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { serveTermFeed } from './serve.server.ts';

export const loader = serveTermFeed(async (app, username, { selfUrl, listedIn }) => {
  const feed = await readAuthorFeed(app, username, listedIn);
  return feed && renderRss(feed, selfUrl);
});

export const action = readOnly;
