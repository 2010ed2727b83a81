import { renderLanguageSitemap, readSitemapParts, renderSitemapPart } from '#app/feeds/sitemaps.server.ts';
import { renderSitemapIndex } from '#app/feeds/sitemap.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { placeOf } from '#app/site/shell/address.ts';
import { finishFile, serveFile } from './serve.server.ts';

export const loader = serveFile('application/xml', async (app, { context }) => {
  const { listedIn } = placeOf(context);
  if (listedIn !== '') return renderLanguageSitemap(app, listedIn);
  const parts = await readSitemapParts(app);
  if (parts.length > 1) return renderSitemapIndex(app.env.siteUrl, parts.length);
  return renderSitemapPart(app, parts[0]!, (lines) => finishFile(app, lines));
});

export const action = readOnly;
