/** The public path of a post, unencoded, as redirects and sitemap rows store it. */
export function postPath(slug: string): string {
  return `/posts/${slug}`;
}

/** The public path of a category, unencoded. */
export function categoryPath(slug: string): string {
  return `/categories/${slug}`;
}

/** The public path of a tag, unencoded. */
export function tagPath(slug: string): string {
  return `/tags/${slug}`;
}

/** A path as it stands in a link: each segment percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
