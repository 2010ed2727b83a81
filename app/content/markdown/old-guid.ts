import { toLocalTime } from '#app/platform/time-zone.ts';
import type { DialectName } from './dialects.ts';
import type { MarkdownSite } from './recognise-site.server.ts';

/**
 * What the generator's own feed calls a post, so that readers of the feed do not see it as new; blank where the address of the
 * old site is unknown.
 * @param address of the post at the old site: a path, or a whole address
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

// `jekyll-feed` takes the id of a post: the folder of its address and its slug, without an ending.
function idOfJekyll(address: string, basePath: string, slug: string): string {
  const path = address.replace(/\/+$/, '').replace(/[^/]*$/, '') + slug;
  return basePath !== '' && !path.startsWith(`${basePath}/`) ? basePath + path : path;
}
