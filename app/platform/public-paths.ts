/**
 * First segments of the public routes; no backend path may be one of them (contract, section 4).
 * A test compares the list with `app/routes.ts`.
 */
export const publicFirstSegments: ReadonlySet<string> = new Set([
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
