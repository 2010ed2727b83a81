import { findSitemapPart, renderSitemapPart } from '#app/feeds/sitemaps.server.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { finishFile, serveFile } from './serve.server.ts';

/** `/sitemaps/N.xml` */
export const loader = serveFile('application/xml', async (app, { params }) => {
  const part = await findSitemapPart(app, params.file ?? '');
  return part && renderSitemapPart(app, part, (lines) => finishFile(app, lines));
});

export const action = readOnly;
