/** The query parameters that the home page of an earlier WordPress site answers. */
export const oldSiteQueries = [
  ...['p', 'page_id', 'attachment_id', 'feed'],
  ...['cat', 'category_name', 'tag', 'author_name', 'author', 's'],
] as const;

/**
 * Normalises a WordPress address with the number of a category, file or author to the form of redirects; null for any
 * other.
 */
export function numberedAddress(written: string): string | null {
  const [, name, id] =
    /^(?:https?:\/\/[^/?#]+)?\/?\?(cat|attachment_id|author)=([1-9]\d{0,17})$/i.exec(written.trim()) ?? [];
  return name === undefined ? null : `/?${name.toLowerCase()}=${id}`;
}
