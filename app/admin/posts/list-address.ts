// Beside `list-query.ts`, since the browser needs this and not the schema.
import type { ListQuery } from './list-query.ts';

/** Ways to sort the list; each a column, its direction, and where posts without a value are. */
export const sorts = {
  updated: { label: 'Last changed', column: 'updatedAt', direction: 'desc' },
  published: { label: 'Publication, newest first', column: 'publishedAt', direction: 'desc' },
  oldest: { label: 'Least recently changed', column: 'updatedAt', direction: 'asc' },
  title: { label: 'Title', column: 'title', direction: 'asc' },
} as const;

export type SortName = keyof typeof sorts;

/** The address of the same list with some things different; `undefined` takes them out. */
export function listAddress(base: string, query: ListQuery, changes: Partial<ListQuery>): string {
  const parameters = new URLSearchParams();
  // Another list begins at its first page.
  for (const [name, value] of Object.entries({ ...query, after: undefined, before: undefined, ...changes }))
    if (value) parameters.set(name, value);
  const text = parameters.toString();
  return text === '' ? base : `${base}?${text}`;
}
