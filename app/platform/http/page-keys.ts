/**
 * Names of the data that a cached page shows, shared by reads and writes. A rendered page records the keys of what it
 * reads. A change lists the keys of what it writes, and the pages with one of these keys are rendered again.
 *
 * Settings, navigation, the names of authors, categories and tags are on so many pages that their changes concern every
 * page.
 */
export type PageKey = string;

/** Concerns every page. */
export const EVERY_PAGE: PageKey = '*';

/** A post's own page and its full text in feeds; the posts beside it in time belong to its page. */
export const postKey = (id: string): PageKey => `post:${id}`;

/** What other pages show of a post: its link, or its entry in a list. */
export const teaserKey = (id: string): PageKey => `teaser:${id}`;

/** What a public path answers with (the path is decoded): a page, a post, a redirect or nothing. */
export const pathKey = (path: string): PageKey => `path:${path}`;

/** Which posts are the same text in other languages. `id` is that of the post that the others translate. */
export const translationsKey = (id: string): PageKey => `translations:${id}`;

/** Which posts a list contains, and in which order. The lists of a term or author in all languages share one key. */
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

/** The sitemap's entries: every change of a public post has this key, also the one that ends it. */
export const SITEMAP_KEY: PageKey = 'sitemap';

/** The PostgreSQL channel that announces each new content version. */
export const CONTENT_CHANNEL = 'dateline_content';

/** Receives the keys of what a page reads while it is rendered for the page cache. */
export type RecordKeys = (...keys: PageKey[]) => void;
