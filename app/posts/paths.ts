/**
 * The public path of a post or page, unencoded, as redirects and sitemap rows store it.
 * @param slug as the row has it: a post's slug, or a page's whole path
 */
export function postPath(slug: string): string {
  return slug.startsWith('/') ? slug : `/posts/${slug}`;
}

/**
 * True for the page that is the home. It may have become a post since it was chosen: that is not the home.
 * @param home id of the chosen page, or `''`
 */
export function isHome({ id, slug }: { id: string; slug: string }, home: string): boolean {
  return id === home && slug.startsWith('/');
}

/** The last segment of a page's path, or a post's slug, as the form shows it. `slug`: from the row. */
export function ownSlug(slug: string): string {
  return slug.slice(slug.lastIndexOf('/') + 1);
}

/** The public path of a category, unencoded. */
export function categoryPath(slug: string): string {
  return `/categories/${slug}`;
}

/** The public path of a tag, unencoded. */
export function tagPath(slug: string): string {
  return `/tags/${slug}`;
}

/** The same by the kind of a term. */
export const termPath = { category: categoryPath, tag: tagPath } as const;

/** The beginning of the addresses of a list's pages. */
export function prefixOf(listedIn: string): string {
  return listedIn === '' ? '' : `/${listedIn}`;
}

/** The path of a link in the form that rows store: decoded, in NFC. Null if it cannot be decoded or contains a NUL. */
export function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path).normalize('NFC');
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

/** Like `decodePath`, without slashes at the end. */
export function decodeBarePath(path: string): string | null {
  return decodePath(path)?.replace(/(.)\/+$/, '$1') ?? null;
}

/** A path in the form of links: each segment percent-encoded. */
export function encodePath(path: string): string {
  // Nearly all paths need no encoding, and a sitemap has fifty thousand.
  if (/^[\w./~-]*$/.test(path)) return path;
  return path.split('/').map(encodeURIComponent).join('/');
}
