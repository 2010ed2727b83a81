/**
 * The public path of a post or page, unencoded, as redirects and sitemap rows store it.
 * @param slug as the row has it: a post's slug, or a page's whole path
 */
export function postPath(slug: string): string {
  return slug.startsWith('/') ? slug : `/posts/${slug}`;
}

/** The last part of an address, as its form shows it. `slug`: as the row has it. */
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

/** A path as it is in a link: each segment percent-encoded. */
export function encodePath(path: string): string {
  // Nearly all paths; a sitemap has fifty thousand.
  if (/^[\w./~-]*$/.test(path)) return path;
  return path.split('/').map(encodeURIComponent).join('/');
}
