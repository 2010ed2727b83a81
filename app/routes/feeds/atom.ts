import { renderAtom } from '#app/feeds/atom.ts';
import { readSiteFeed } from '#app/feeds/queries.server.ts';
import { readOnly } from '#app/platform/responses.ts';
import { serveFile } from './serve.ts';

export const loader = serveFile('application/atom+xml', async (app) =>
  renderAtom(await readSiteFeed(app), `${app.env.siteUrl}/atom.xml`),
);

export const action = readOnly;
