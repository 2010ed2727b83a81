import { renderRss } from '#app/feeds/rss.ts';
import { readSiteFeed } from '#app/feeds/queries.server.ts';
import { readOnly } from '#app/platform/responses.ts';
import { serveFile } from './serve.ts';

export const loader = serveFile('application/rss+xml', async (app) =>
  renderRss(await readSiteFeed(app), `${app.env.siteUrl}/rss.xml`),
);

export const action = readOnly;
