/**
 * `robots.txt`: allows everything but addresses that are not pages. `extra`: lines from the settings; a line with the
 * backend's path is left out, to keep the path private.
 */
export function renderRobots({
  origin,
  extra,
  adminPath,
  languages = [],
}: {
  origin: string;
  extra: string;
  adminPath: string;
  /** The site's other languages; each has its own sitemap. */
  languages?: readonly string[];
}): string {
  const namesBackend = new RegExp(`/${adminPath}(?![a-z0-9-])`, 'i');
  const extraLines = extra.split('\n').filter((line) => line.trim() !== '' && !namesBackend.test(line));
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /preview/',
    ...extraLines,
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    ...languages.map((language) => `Sitemap: ${origin}/${language}/sitemap.xml`),
    '',
  ].join('\n');
}
