import { countSitemapParts, listSitemapUrls } from '#app/feeds/queries.server.ts';
import { renderSitemap, renderSitemapIndex } from '#app/feeds/sitemap.ts';
import { readOnly } from '#app/platform/responses.ts';
import { serveFile } from './serve.ts';

export const loader = serveFile('application/xml', async (app) => {
  const parts = await countSitemapParts(app);
  if (parts > 1) return renderSitemapIndex(app.env.siteUrl, parts);
  return renderSitemap(app.env.siteUrl, await listSitemapUrls(app, 1));
});

export const action = readOnly;
