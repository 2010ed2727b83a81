import { z } from 'zod';
import { postStatuses } from '#app/posts/states.ts';

/** Ways to sort the list; each a column, its direction, and where posts without a value stand. */
export const sorts = {
  updated: { label: 'Last changed', column: 'updatedAt', direction: 'desc' },
  published: { label: 'Publication, newest first', column: 'publishedAt', direction: 'desc' },
  oldest: { label: 'Least recently changed', column: 'updatedAt', direction: 'asc' },
  title: { label: 'Title', column: 'title', direction: 'asc' },
} as const;

export type SortName = keyof typeof sorts;

const id = z.string().max(64).optional().catch(undefined);
const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value);

const querySchema = z.object({
  status: z.preprocess(blankIsAbsent, z.enum(postStatuses).optional().catch(undefined)),
  author: z.preprocess(blankIsAbsent, id),
  /** A category's id, or `none`. */
  category: z.preprocess(blankIsAbsent, id),
  tag: z.preprocess(blankIsAbsent, id),
  q: z.preprocess(blankIsAbsent, z.string().trim().max(200).optional().catch(undefined)),
  sort: z
    .enum(Object.keys(sorts) as [SortName, ...SortName[]])
    .optional()
    .catch(undefined),
  after: z.preprocess(blankIsAbsent, z.string().max(2_000).optional().catch(undefined)),
  before: z.preprocess(blankIsAbsent, z.string().max(2_000).optional().catch(undefined)),
});

export type ListQuery = z.output<typeof querySchema>;

/** Reads the list's address; what makes no sense is left out. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  return querySchema.parse(Object.fromEntries(parameters));
}

/** The address of the same list with some things different; `undefined` takes them out. */
export function listAddress(base: string, query: ListQuery, changes: Partial<ListQuery>): string {
  const parameters = new URLSearchParams();
  // Another list begins at its first page.
  for (const [name, value] of Object.entries({ ...query, after: undefined, before: undefined, ...changes }))
    if (value) parameters.set(name, value);
  const text = parameters.toString();
  return text === '' ? base : `${base}?${text}`;
}

/** Where a page of the list begins: the sort value of its neighbour, and its id. */
export interface Cursor {
  value: string | null;
  id: string;
}

const cursorSchema = z.tuple([z.string().nullable(), z.string().max(64)]);

export function writeCursor({ value, id }: Cursor): string {
  return JSON.stringify([value, id]);
}

/** Null for none and for rubbish. */
export function readCursor(text: string | undefined): Cursor | null {
  if (!text) return null;
  try {
    const [value, id] = cursorSchema.parse(JSON.parse(text));
    return { value, id };
  } catch {
    return null;
  }
}
