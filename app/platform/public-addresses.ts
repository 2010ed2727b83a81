/**
 * Every address that the public can request, except those that are settings or pages. Routes, page cache, labels of the
 * metrics, addresses of other languages and reserved first segments derive from this table.
 */
export interface PublicAddress {
  /** As routers write it, without the leading slash: `:slug` is one segment, `*` the rest of the path. */
  pattern: string;
  /** The file below `app/routes`; `.tsx` is a page in the site's frame. Absent: a file of the build. */
  route?: string;
  /** How the page cache stores the answers. Absent: an answer is for one visitor, one moment or one token. */
  kept?: 'once' | 'by page' | 'by question';
  /** The address also exists below the tag of each other language of the site. */
  inLanguages?: true;
  /** A feed of posts: a browser that opens it gets a page for people instead. */
  isFeed?: true;
  /** The name in the metrics, if it is not the pattern. */
  label?: string;
}

/**
 * The route of pages and moved lists (`app/posts/find-address.server.ts`). It conflicts with no page: no slug is a
 * hyphen.
 */
export const PAGE_ROUTE = '/-/page';
export const POSTS_ROUTE = '/-/posts';
/** Prefix of the route that answers a browser at a feed's address with a page. The feed's path follows it. */
export const FEED_PAGE_ROUTE = '/-/feed';

/** Prefix of the site at an instant. The token of a link follows it, then an address of the site. */
export const SITE_PREVIEW = '/preview/site/';

export const publicAddresses: readonly PublicAddress[] = [
  // What readers see.
  { pattern: '', route: 'site/home.tsx', kept: 'by page' },
  { pattern: PAGE_ROUTE.slice(1), route: 'site/page.tsx', kept: 'once', label: 'other' },
  { pattern: POSTS_ROUTE.slice(1), route: 'site/posts.tsx', kept: 'by page', label: 'other' },
  { pattern: `${FEED_PAGE_ROUTE.slice(1)}/*`, route: 'site/feed-page.tsx', label: 'other' },
  { pattern: 'posts/:slug', route: 'site/post.tsx', kept: 'once' },
  { pattern: 'categories', route: 'site/categories.tsx', kept: 'once', inLanguages: true },
  { pattern: 'categories/:slug', route: 'site/category.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'tags', route: 'site/tags.tsx', kept: 'once', inLanguages: true },
  { pattern: 'tags/:slug', route: 'site/tag.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'authors/:slug', route: 'site/author.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'archive', route: 'site/archive.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'search', route: 'site/search.tsx', kept: 'by question', inLanguages: true },
  { pattern: 'preview/:token', route: 'site/preview.tsx' },
  {
    pattern: `${SITE_PREVIEW.slice(1)}:token/*`,
    route: 'site/site-preview.ts',
    label: `${SITE_PREVIEW}:token`,
  },
  // The appearance as a stylesheet. Its name contains its hash.
  { pattern: 'theme/:file', route: 'site/theme.ts', kept: 'once', label: '/theme/*' },
  // The social card of a post without a cover.
  { pattern: 'theme/cards/:file', route: 'site/card.ts', label: '/theme/cards/*' },
  { pattern: 'uploads/*', route: 'site/upload.ts' },
  { pattern: 'assets/*' },
  { pattern: 'favicon.ico' },
  { pattern: 'favicon.svg' },
  { pattern: 'unavailable.css' },

  // What machines read.
  { pattern: 'rss.xml', route: 'feeds/rss.ts', kept: 'once', inLanguages: true, isFeed: true },
  { pattern: 'atom.xml', route: 'feeds/atom.ts', kept: 'once', inLanguages: true, isFeed: true },
  { pattern: 'feed.json', route: 'feeds/json.ts', kept: 'once', inLanguages: true, isFeed: true },
  {
    pattern: 'authors/:slug/rss.xml',
    route: 'feeds/author-rss.ts',
    kept: 'once',
    inLanguages: true,
    isFeed: true,
  },
  {
    pattern: 'categories/:slug/podcast.xml',
    route: 'feeds/podcast.ts',
    kept: 'once',
    inLanguages: true,
    isFeed: true,
  },
  {
    pattern: 'categories/:slug/rss.xml',
    route: 'feeds/category-rss.ts',
    kept: 'once',
    inLanguages: true,
    isFeed: true,
  },
  { pattern: 'tags/:slug/rss.xml', route: 'feeds/tag-rss.ts', kept: 'once', inLanguages: true, isFeed: true },
  { pattern: 'sitemap.xml', route: 'feeds/sitemap.ts', kept: 'once', inLanguages: true },
  { pattern: 'sitemaps/:file', route: 'feeds/sitemap-part.ts', kept: 'once' },
  { pattern: 'robots.txt', route: 'feeds/robots.ts', kept: 'once' },

  // What operators and schedulers call.
  { pattern: 'api/health', route: 'api/health.ts' },
  { pattern: 'api/ready', route: 'api/ready.ts' },
  { pattern: 'api/internal/metrics', route: 'api/metrics.ts' },
  { pattern: 'api/internal/posts/publish-scheduled', route: 'api/publish-scheduled.ts' },
  { pattern: 'api/*', route: 'api/unknown.ts', label: 'other' },
];

interface Matcher {
  address: PublicAddress;
  expression: RegExp;
}

const matchersByFirst = new Map<string, Matcher[]>();
for (const address of publicAddresses) {
  const first = address.pattern.split('/')[0]!;
  const matcher = { address, expression: expressionOf(address.pattern) };
  matchersByFirst.set(first, [...(matchersByFirst.get(first) ?? []), matcher]);
}

function expressionOf(pattern: string): RegExp {
  const segments = pattern
    .split('/')
    .map((segment) =>
      segment === '*' ? '.+' : segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.'),
    );
  return new RegExp(`^/${segments.join('/')}$`);
}

/** The entry of a path. Null if the path belongs to the backend, a page or a setting, or to nothing. */
export function publicAddressOf(path: string): PublicAddress | null {
  const matchers = matchersByFirst.get(firstSegmentOf(path));
  return matchers?.find(({ expression }) => expression.test(path))?.address ?? null;
}

/** First segments of public addresses; no backend path and no page may be one of them (contract, sections 4 and 9). */
export const publicFirstSegments: ReadonlySet<string> = new Set(
  [...matchersByFirst.keys()].filter((segment) => segment !== ''),
);

/** True for a path outside the table: a page or list may be there, or the backend, a redirect or nothing. */
export function mayBePage(path: string): boolean {
  return !matchersByFirst.has(firstSegmentOf(path));
}

/**
 * True for a path from which a redirect works: below `/posts`, `/categories` and `/tags`, and where neither a route nor
 * the backend is.
 */
export function canRedirect(path: string, adminPath: string): boolean {
  const first = firstSegmentOf(path);
  if (first === adminPath) return false;
  return !publicFirstSegments.has(first) || /^\/(posts|categories|tags)\/[^/]+$/.test(path);
}

/**
 * The name of a path in the metrics. Unknown paths and the backend are `other`, so that the number of names is small.
 */
export function routeLabel(path: string): string {
  const address = publicAddressOf(path);
  return address ? (address.label ?? `/${address.pattern}`) : 'other';
}

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

function firstSegmentOf(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end === -1 ? undefined : end);
}
