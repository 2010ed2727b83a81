import type { DialectName } from '#app/import/markdown/dialects/dialects.ts';
import type { MarkdownSite } from '#app/import/markdown/dialects/site.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';

/**
 * The guid of a post in the feed that the generator made, so that feed readers do not show the post as new. Blank if the
 * address of the old site is unknown.
 * @param address of the post at the old site: a path or an absolute URL
 */
export function oldGuid(
  { site: { dialect, siteUrl, basePath }, timeZone }: { site: MarkdownSite; timeZone: string },
  { address, slug, date }: { address: string; slug: string; date: Date | null },
): string {
  if (siteUrl === '' || !hasFeed.has(dialect)) return '';
  const path = dialect === 'jekyll' ? idOfJekyll(address, basePath, slug) : address;
  if (!URL.canParse(path, `${siteUrl}/`)) return '';
  const url = new URL(path, `${siteUrl}/`);
  if (dialect !== 'pelican') return url.href;
  const day = date === null ? '' : `,${toLocalTime(date, timeZone).slice(0, 10)}`;
  return `tag:${url.hostname}${day}:${url.pathname}/`;
}

const hasFeed = new Set<DialectName>([
  'jekyll',
  'hugo',
  'zola',
  'docusaurus',
  'astro',
  'hexo',
  'gatsby',
  'eleventy',
  'pelican',
]);

// `jekyll-feed` uses Jekyll's post id: the folder of the address and the slug, without a file extension.
function idOfJekyll(address: string, basePath: string, slug: string): string {
  const path = address.replace(/\/+$/, '').replace(/[^/]*$/, '') + slug;
  return basePath !== '' && !path.startsWith(`${basePath}/`) ? basePath + path : path;
}
