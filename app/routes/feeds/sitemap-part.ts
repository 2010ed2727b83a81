import { countSitemapParts, listSitemapUrls } from '#app/feeds/queries.server.ts';
import { renderSitemap } from '#app/feeds/sitemap.ts';
import { readOnly } from '#app/platform/responses.ts';
import { serveFile } from './serve.ts';

/** `/sitemaps/N.xml`; there is none while everything fits into `/sitemap.xml`. */
export const loader = serveFile('application/xml', async (app, { params }) => {
  const part = Number(/^([1-9]\d{0,5})\.xml$/.exec(params.file ?? '')?.[1]);
  const parts = await countSitemapParts(app);
  if (parts === 1 || !(part <= parts)) return null;
  return renderSitemap(app.env.siteUrl, await listSitemapUrls(app, part));
});

export const action = readOnly;
