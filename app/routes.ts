import { index, layout, route, type RouteConfig } from '@remix-run/route-config';

/** Every URL of the product. What none of these match goes to the splat. */
export default [
  // What readers see.
  layout('routes/site/layout.tsx', [
    index('routes/site/home.tsx'),
    // Behind addresses that are settings: app/site/find-address.server.ts.
    route('-/page', 'routes/site/page.tsx'),
    route('-/posts', 'routes/site/posts.tsx'),
    route('posts/:slug', 'routes/site/post.tsx'),
    route('categories', 'routes/site/categories.tsx'),
    route('categories/:slug', 'routes/site/category.tsx'),
    route('tags', 'routes/site/tags.tsx'),
    route('tags/:slug', 'routes/site/tag.tsx'),
    route('authors/:username', 'routes/site/author.tsx'),
    route('archive', 'routes/site/archive.tsx'),
    route('search', 'routes/site/search.tsx'),
    route('preview/:token', 'routes/site/preview.tsx'),
  ]),
  route('preview/site/:token/*', 'routes/site/site-preview.ts'),
  // The accent colour as a stylesheet whose name carries its hash.
  route('theme/:file', 'routes/site/theme.ts'),
  route('uploads/*', 'routes/site/upload.ts'),

  // What machines read.
  route('rss.xml', 'routes/feeds/rss.ts'),
  route('atom.xml', 'routes/feeds/atom.ts'),
  route('feed.json', 'routes/feeds/json.ts'),
  route('authors/:username/rss.xml', 'routes/feeds/author-rss.ts'),
  route('categories/:slug/podcast.xml', 'routes/feeds/podcast.ts'),
  route('categories/:slug/rss.xml', 'routes/feeds/category-rss.ts'),
  route('tags/:slug/rss.xml', 'routes/feeds/tag-rss.ts'),
  route('sitemap.xml', 'routes/feeds/sitemap.ts'),
  route('sitemaps/:file', 'routes/feeds/sitemap-part.ts'),
  route('robots.txt', 'routes/feeds/robots.ts'),

  // What operators and schedulers call.
  route('api/health', 'routes/api/health.ts'),
  route('api/ready', 'routes/api/ready.ts'),
  route('api/internal/metrics', 'routes/api/metrics.ts'),
  route('api/internal/posts/publish-scheduled', 'routes/api/publish-scheduled.ts'),
  route('api/*', 'routes/api/unknown.ts'),

  // The backend at its current path, stored redirects, else 404.
  route('*', 'routes/admin.tsx'),
] satisfies RouteConfig;
