/**
 * `robots.txt`: everything may be read but what is no page. `extra`: lines from the settings; one that
 * names the backend's path is left out, so that the file never tells it.
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
  /** The site's other languages; each has a sitemap of its own. */
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
