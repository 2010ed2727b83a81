// Separate from `list-query.ts`, so that the browser does not load the schema.
import type { PostStatus } from '#app/posts/fields/states.ts';

/** Ways to sort the list: a column, its direction, and where posts without a value are. */
export const sorts = {
  updated: { label: 'Last updated', column: 'updatedAt', direction: 'desc' },
  published: { label: 'Recently published', column: 'publishedAt', direction: 'desc' },
  oldest: { label: 'Least recently updated', column: 'updatedAt', direction: 'asc' },
  title: { label: 'Title', column: 'title', direction: 'asc' },
} as const;

export type SortName = keyof typeof sorts;

export interface ListQuery {
  status?: PostStatus;
  author?: string;
  /** A category's id, or `none`. */
  category?: string;
  tag?: string;
  q?: string;
  sort?: SortName;
  after?: string;
  before?: string;
}
