const known: [RegExp, string][] = [
  [/^\/$/, '/'],
  [/^\/posts\/[^/]+$/, '/posts/:slug'],
  [/^\/(categories|tags|authors)\/[^/]+$/, '/$1/:slug'],
  [/^\/(categories|tags|authors)\/[^/]+\/rss\.xml$/, '/$1/:slug/rss.xml'],
  [/^\/categories\/[^/]+\/podcast\.xml$/, '/categories/:slug/podcast.xml'],
  [/^\/sitemaps\/[^/]+$/, '/sitemaps/:file'],
  [/^\/preview\/[^/]+$/, '/preview/:token'],
  [/^\/preview\/site\/./, '/preview/site/:token'],
  [/^\/(uploads|assets|theme)\/.+$/, '/$1/*'],
  [
    /^\/(archive|categories|tags|search|rss\.xml|atom\.xml|feed\.json|sitemap\.xml|robots\.txt|api\/health|api\/ready|api\/internal\/metrics|api\/internal\/posts\/publish-scheduled)$/,
    '/$1',
  ],
];

/** The route of a path for the metrics: a few names however many addresses are tried, the backend among `other`. */
export function routeLabel(path: string): string {
  const match = known.find(([pattern]) => pattern.test(path));
  return match ? path.replace(match[0], match[1]) : 'other';
}
