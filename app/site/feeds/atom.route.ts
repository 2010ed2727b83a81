import { renderAtom } from '#app/feeds/atom.ts';
import { readSiteFeed } from '#app/feeds/queries.server.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { placeOf } from '#app/site/shell/address.ts';
import { serveFile } from './serve.server.ts';

export const loader = serveFile('application/atom+xml', async (app, { context }) =>
  renderAtom(
    await readSiteFeed(app, placeOf(context).listedIn),
    `${app.env.siteUrl}${placeOf(context).prefix}/atom.xml`,
  ),
);

export const action = readOnly;
