/**
 * First segments of the public routes; no backend path and no page may be one of them (contract, sections 4 and 9).
 * A test compares the list with `app/routes.ts`.
 */
export const publicFirstSegments: ReadonlySet<string> = new Set([
  // Routes behind addresses that are settings.
  '-',
  'api',
  'archive',
  'assets',
  'atom.xml',
  'authors',
  'categories',
  'favicon.ico',
  'favicon.svg',
  'feed.json',
  'posts',
  'preview',
  'robots.txt',
  'rss.xml',
  'search',
  'sitemap.xml',
  'sitemaps',
  'tags',
  'theme',
  'uploads',
]);

/** True for the first part of an address that no page can have: a route's, the backend's, or a language's. */
export function isReservedSegment(
  segment: string,
  settings: { admin_path: string; site_languages: readonly string[]; posts_path: string; home_page: string },
): boolean {
  return (
    publicFirstSegments.has(segment) ||
    segment === settings.admin_path ||
    segment === settings.posts_path.split('/')[1] ||
    (segment === 'blog' && settings.home_page !== '') ||
    settings.site_languages.some((language) => language.toLowerCase() === segment)
  );
}
