import type { DialectName } from './dialects.ts';
import type { MarkdownSite } from './recognise-site.server.ts';

/**
 * What the generator's own feed calls a post, so that readers of the feed do not see it as new; blank where the address of the
 * old site is unknown.
 * @param address of the post at the old site: a path, or a whole address
 */
export function oldGuid({ dialect, siteUrl, basePath }: MarkdownSite, address: string, slug: string): string {
  if (siteUrl === '' || !hasFeed.has(dialect)) return '';
  const path = dialect === 'jekyll' ? idOfJekyll(address, basePath, slug) : address;
  return URL.canParse(path, `${siteUrl}/`) ? new URL(path, `${siteUrl}/`).href : '';
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
]);

// `jekyll-feed` takes the id of a post: the folder of its address and its slug, without an ending.
function idOfJekyll(address: string, basePath: string, slug: string): string {
  const path = address.replace(/\/+$/, '').replace(/[^/]*$/, '') + slug;
  return basePath !== '' && !path.startsWith(`${basePath}/`) ? basePath + path : path;
}
