import { readSitemapParts, renderSitemapPart } from '#app/feeds/sitemap-parts.server.ts';
import { readOnly } from '#app/platform/responses.ts';
import { finishFile, serveFile } from './serve.ts';

/** `/sitemaps/N.xml`; 404 while everything fits into `/sitemap.xml`. */
export const loader = serveFile('application/xml', async (app, { params }) => {
  const number = Number(/^([1-9]\d{0,5})\.xml$/.exec(params.file ?? '')?.[1]);
  const parts = await readSitemapParts(app);
  const part = parts[number - 1];
  if (!part || parts.length === 1) return null;
  return renderSitemapPart(app, part, (lines) => finishFile(app, lines));
});

export const action = readOnly;
