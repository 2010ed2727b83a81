/** Names as this reader knows them. Hugo's have no case. */
const names = [
  ...['title', 'slug', 'url', 'aliases', 'date', 'lastmod', 'publishDate', 'expiryDate', 'draft', 'headless'],
  ...['build', '_build', 'cascade', 'type', 'layout', 'categories', 'tags', 'author', 'authors'],
  ...[
    'description',
    'summary',
    'translationKey',
    'private',
    'password',
    'hidden',
    'unlisted',
    'status',
    'published',
  ],
];
/** Hugo's other names of the same. */
const others = { pubdate: 'publishDate', unpublishdate: 'expiryDate', modified: 'lastmod' };
const known = new Map<string, string>([
  ...names.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(others),
]);
const tables = new Set(['build', '_build']);

/** The front matter of a file of Hugo with the names that this reader knows. A name that is written so comes first. */
export function withHugoNames(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named: Record<string, unknown> = { ...data };
  for (const [written, value] of Object.entries(data)) {
    const name = known.get(written.toLowerCase());
    if (name === undefined) continue;
    if (!Object.hasOwn(named, name)) named[name] = value;
    if (tables.has(name)) named[name] = inLowerCase(named[name]);
  }
  return named;
}

function inLowerCase(table: unknown): unknown {
  if (typeof table !== 'object' || table === null) return table;
  return Object.fromEntries(
    Object.entries(table).map(([name, value]) => [name.toLowerCase(), value as unknown]),
  );
}
