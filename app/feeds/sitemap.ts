import { encodePath } from '#app/posts/paths.ts';
import { element, xmlDocument } from './markup.ts';

/** The protocol's limit for one file; more go into parts below an index. */
export const SITEMAP_URL_LIMIT = 50_000;
/** Characters of an address, by the protocol too. */
const LOCATION_LIMIT = 2_048;

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const IMAGE = 'http://www.google.com/schemas/sitemap-image/1.1';

export interface SitemapUrl {
  /** Unencoded. */
  path: string;
  /** ISO 8601 UTC. */
  lastModified: string;
  /** Path of the page's image, percent-encoded. */
  image?: string;
}

/** What is before and after the lines of a sitemap. */
export const SITEMAP_HEAD = xmlDocument([`<urlset xmlns="${SITEMAP}" xmlns:image="${IMAGE}">`]);
export const SITEMAP_END = '</urlset>\n';

/** Sitemap XML; `origin` without a trailing slash. */
export function renderSitemap(origin: string, urls: SitemapUrl[]): string {
  return SITEMAP_HEAD + sitemapLines(origin, urls) + SITEMAP_END;
}

/** The lines of a sitemap for some addresses. */
export function sitemapLines(origin: string, urls: SitemapUrl[]): string {
  return urls.map((url) => urlLine(origin, url)).join('');
}

function urlLine(origin: string, { path, lastModified, image }: SitemapUrl): string {
  const location = origin + encodePath(path);
  if (location.length > LOCATION_LIMIT) return '';
  const picture = image ? `<image:image>${element('image:loc', origin + image)}</image:image>` : '';
  // Percent-encoding leaves nothing that XML would escape. Searching for it took a seventh of a part's time.
  return `<url><loc>${location}</loc><lastmod>${lastModified}</lastmod>${picture}</url>\n`;
}

/** The index of parts `/sitemaps/1.xml` to `/sitemaps/<partCount>.xml`. */
export function renderSitemapIndex(origin: string, partCount: number): string {
  const parts = Array.from({ length: partCount }, (_, index) => `${origin}/sitemaps/${index + 1}.xml`);
  return xmlDocument([
    `<sitemapindex xmlns="${SITEMAP}">`,
    ...parts.map((part) => `<sitemap>${element('loc', part)}</sitemap>`),
    '</sitemapindex>',
  ]);
}
