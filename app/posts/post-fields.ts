/** What an editor can change of a post; revisions and scheduled updates hold it whole. */
export interface PostFields {
  title: string;
  slug: string;
  excerpt: string;
  /** Markdown, verbatim. */
  body: string;
  categoryId: string | null;
  /** Names, in order. */
  tags: string[];
  publishedAt: Date | null;
  archiveAt: Date | null;
  coverMediaId: string | null;
  coverAlt: string;
  seoTitle: string;
  seoDescription: string;
  canonicalUrl: string;
}

/** The fields of a post that does not exist yet. */
export const emptyPostFields: PostFields = {
  title: '',
  slug: '',
  excerpt: '',
  body: '',
  categoryId: null,
  tags: [],
  publishedAt: null,
  archiveAt: null,
  coverMediaId: null,
  coverAlt: '',
  seoTitle: '',
  seoDescription: '',
  canonicalUrl: '',
};
