import { renderJsonFeed } from '#app/feeds/json-feed.ts';
import { readSiteFeed } from '#app/feeds/queries.server.ts';
import { readOnly } from '#app/platform/responses.ts';
import { serveFile } from './serve.ts';

export const loader = serveFile('application/feed+json', async (app) =>
  renderJsonFeed(await readSiteFeed(app), `${app.env.siteUrl}/feed.json`),
);

export const action = readOnly;
