import { readSiteFeed } from '#app/feeds/queries.server.ts';
import { renderRss } from '#app/feeds/rss.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { placeOf } from '#app/site/shell/address.ts';
import { serveFile } from './serve.server.ts';

export const loader = serveFile('application/rss+xml', async (app, { context }) =>
  renderRss(
    await readSiteFeed(app, placeOf(context).listedIn),
    `${app.env.siteUrl}${placeOf(context).prefix}/rss.xml`,
  ),
);

export const action = readOnly;
