import { gunzipSync } from 'node:zlib';
import { renderSitemapPart } from '#app/feeds/sitemaps.server.ts';

/** What crawlers read in a file of the sitemap. */
export async function sitemapText(...what: Parameters<typeof renderSitemapPart>): Promise<string> {
  return gunzipSync(await renderSitemapPart(...what)).toString();
}
