import { renderJsonFeed } from '#app/feeds/json.ts';
import { readSiteFeed } from '#app/feeds/queries.server.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { placeOf } from '#app/site/shell/address.ts';
import { serveFile } from './serve.server.ts';

export const loader = serveFile('application/feed+json', async (app, { context }) =>
  renderJsonFeed(
    await readSiteFeed(app, placeOf(context).listedIn),
    `${app.env.siteUrl}${placeOf(context).prefix}/feed.json`,
  ),
);

export const action = readOnly;
