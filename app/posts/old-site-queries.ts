/** What of the query of a home page an earlier site on WordPress answers. */
export const oldSiteQueries = [
  ...['p', 'page_id', 'attachment_id', 'feed'],
  ...['cat', 'category_name', 'tag', 'author_name'],
] as const;

/** An address by the number of a category or of a file, as redirects store it; null for any other. */
export function numberedAddress(written: string): string | null {
  const [, name, id] =
    /^(?:https?:\/\/[^/?#]+)?\/?\?(cat|attachment_id)=([1-9]\d{0,17})$/i.exec(written.trim()) ?? [];
  return name === undefined ? null : `/?${name.toLowerCase()}=${id}`;
}
