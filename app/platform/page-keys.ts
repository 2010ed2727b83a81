/**
 * Names of the data that a cached page is made from, shared by reads and writes. A page that is rendered records the
 * keys of what it reads; a change names the keys of what it writes; the pages that have one of those are rendered
 * again.
 *
 * Settings, navigation, the names of authors, categories and tags are on so many pages that their changes concern
 * every page.
 */
export type PageKey = string;

/** Concerns every page. */
export const EVERY_PAGE: PageKey = '*';

/** A post's own page and its full text in feeds; the posts beside it in time belong to its page. */
export const postKey = (id: string): PageKey => `post:${id}`;

/** What other pages show of a post: its link, or its entry in a list. */
export const teaserKey = (id: string): PageKey => `teaser:${id}`;

/** What is to be found at a public path, decoded: a page, a post, a redirect or nothing. */
export const pathKey = (path: string): PageKey => `path:${path}`;

/** Which posts are the same text in other languages; named by the post that the others translate. */
export const translationsKey = (id: string): PageKey => `translations:${id}`;

/** Which posts a list holds, and in which order; the lists of a term or author in all languages are one. */
export const listKey = (scope: {
  listedIn?: string;
  categoryId?: string | null;
  tagId?: string;
  authorId?: string | null;
}): PageKey => {
  const { listedIn, categoryId, tagId, authorId } = scope;
  return `list:${categoryId ?? tagId ?? authorId ?? (listedIn || 'all')}`;
};

/** Which categories and tags are public, with the number of their posts. */
export const TERMS_KEY: PageKey = 'terms';

export const SITEMAP_KEY: PageKey = 'sitemap';

/** PostgreSQL notifies listeners on it of each content version. */
export const CONTENT_CHANNEL = 'dateline_content';

/** Receives the keys of what a page reads while it is rendered for the page cache. */
export type RecordKeys = (...keys: PageKey[]) => void;
