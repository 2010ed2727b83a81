/**
 * Every address that the public can request, except those that are settings or pages. Routes, page cache, labels of the
 * metrics, addresses of other languages and reserved first segments derive from this table.
 */
export interface PublicAddress {
  /** As routers write it, without the leading slash: `:slug` is one segment, `*` the rest of the path. */
  pattern: string;
  /** The file below `app`; `.tsx` is a page in the site's frame. Absent: a file of the build. */
  route?: string;
  /** How the page cache stores the answers. Absent: an answer is for one visitor, one moment or one token. */
  kept?: 'once' | 'by page' | 'by question';
  /** The address also exists below the tag of each other language of the site. */
  inLanguages?: true;
  /** A feed of posts: a browser that opens it gets a page for people instead. */
  isFeed?: true;
  /** Exists only with the newsletter: without it, a page of the site may be there. */
  ofNewsletter?: true;
  /** The name in the metrics, if it is not the pattern. */
  label?: string;
}

/**
 * The route of pages and moved lists (`app/posts/addresses/find-address.server.ts`). It conflicts with no page: no slug is a
 * hyphen.
 */
export const PAGE_ROUTE = '/-/page';
export const POSTS_ROUTE = '/-/posts';
/** Prefix of the route that answers a browser at a feed's address with a page. The feed's path follows it. */
export const FEED_PAGE_ROUTE = '/-/feed';

/** Prefix of the site at an instant. The token of a link follows it, then an address of the site. */
export const SITE_PREVIEW = '/preview/site/';

const feed = (pattern: string, name: string): PublicAddress => ({
  pattern,
  route: `site/feeds/${name}.route.ts`,
  kept: 'once',
  inLanguages: true,
  isFeed: true,
});

export const publicAddresses: readonly PublicAddress[] = [
  // What readers see.
  { pattern: '', route: 'site/lists/home.route.tsx', kept: 'by page' },
  { pattern: PAGE_ROUTE.slice(1), route: 'site/posts/page.route.tsx', kept: 'once', label: 'other' },
  { pattern: POSTS_ROUTE.slice(1), route: 'site/lists/posts.route.tsx', kept: 'by page', label: 'other' },
  { pattern: `${FEED_PAGE_ROUTE.slice(1)}/*`, route: 'site/lists/feed-page.route.tsx', label: 'other' },
  { pattern: 'posts/:slug', route: 'site/posts/post.route.tsx', kept: 'once' },
  { pattern: 'categories', route: 'site/lists/categories.route.tsx', kept: 'once', inLanguages: true },
  { pattern: 'categories/:slug', route: 'site/lists/category.route.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'tags', route: 'site/lists/tags.route.tsx', kept: 'once', inLanguages: true },
  { pattern: 'tags/:slug', route: 'site/lists/tag.route.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'authors/:slug', route: 'site/lists/author.route.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'archive', route: 'site/lists/archive.route.tsx', kept: 'by page', inLanguages: true },
  { pattern: 'search', route: 'site/search/search.route.tsx', kept: 'by question', inLanguages: true },
  // No cache keeps them, and only a POST changes anything: mail programs open every link.
  { pattern: 'subscribe', route: 'site/newsletter/subscribe.route.tsx', ofNewsletter: true },
  { pattern: 'subscribe/confirm/:token', route: 'site/newsletter/confirm.route.tsx', ofNewsletter: true },
  { pattern: 'subscription/:token', route: 'site/newsletter/subscription.route.tsx', ofNewsletter: true },
  { pattern: 'unsubscribe/:token', route: 'site/newsletter/unsubscribe.route.tsx', ofNewsletter: true },
  { pattern: 'preview/:token', route: 'site/previews/preview.route.tsx' },
  {
    pattern: `${SITE_PREVIEW.slice(1)}:token/*`,
    route: 'site/previews/site-preview.route.ts',
    label: `${SITE_PREVIEW}:token`,
  },
  // The appearance as a stylesheet. Its name contains its hash.
  { pattern: 'theme/:file', route: 'site/appearance/theme.route.ts', kept: 'once', label: '/theme/*' },
  // The social card of a post without a cover.
  { pattern: 'theme/cards/:file', route: 'site/cards/card.route.ts', label: '/theme/cards/*' },
  { pattern: 'uploads/*', route: 'web/media/upload.route.ts' },
  { pattern: 'assets/*' },
  { pattern: 'favicon.ico' },
  { pattern: 'favicon.svg' },
  { pattern: 'unavailable.css' },

  // What machines read.
  feed('rss.xml', 'rss'),
  feed('atom.xml', 'atom'),
  feed('feed.json', 'json'),
  feed('authors/:slug/rss.xml', 'author-rss'),
  feed('categories/:slug/podcast.xml', 'podcast'),
  feed('categories/:slug/rss.xml', 'category-rss'),
  feed('tags/:slug/rss.xml', 'tag-rss'),
  { pattern: 'sitemap.xml', route: 'site/feeds/sitemap.route.ts', kept: 'once', inLanguages: true },
  { pattern: 'sitemaps/:file', route: 'site/feeds/sitemap-part.route.ts', kept: 'once' },
  { pattern: 'robots.txt', route: 'site/feeds/robots.route.ts', kept: 'once' },

  // What operators and schedulers call.
  { pattern: 'api/health', route: 'web/api/health.route.ts' },
  { pattern: 'api/ready', route: 'web/api/ready.route.ts' },
  { pattern: 'api/internal/comparison', route: 'web/api/comparison.route.ts' },
  { pattern: 'api/internal/metrics', route: 'web/api/metrics.route.ts' },
  { pattern: 'api/internal/posts/publish-scheduled', route: 'web/api/publish-scheduled.route.ts' },
  { pattern: 'api/*', route: 'web/api/unknown.route.ts', label: 'other' },
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

/** True for a path that belongs to the newsletter where there is one. */
export function isOfNewsletter(path: string): boolean {
  return matchersByFirst.get(firstSegmentOf(path))?.[0]?.address.ofNewsletter === true;
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
