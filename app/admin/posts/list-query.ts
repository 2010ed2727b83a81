import * as z from 'zod';
import { keysOf } from '#app/platform/narrow.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { sorts, type ListQuery } from './list-address.ts';

const id = z.string().max(64).optional().catch(undefined);

const querySchema = z.object({
  status: z.enum(postStatuses).optional().catch(undefined),
  author: id,
  category: id,
  tag: id,
  q: z.string().trim().max(200).optional().catch(undefined),
  sort: z.enum(keysOf(sorts)).optional().catch(undefined),
  after: z.string().max(2_000).optional().catch(undefined),
  before: z.string().max(2_000).optional().catch(undefined),
});

/** Reads the parameters of the list's address. Leaves out blank and invalid ones. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  return querySchema.parse(Object.fromEntries([...parameters].filter(([, value]) => value !== '')));
}

/** Where a page of the list begins: the sort value and id of the post that is next to it. */
export interface Cursor {
  value: string | null;
  id: string;
}

const cursorSchema = z.tuple([z.string().nullable(), z.string().max(64)]);

export function writeCursor({ value, id }: Cursor): string {
  return JSON.stringify([value, id]);
}

/** Parses a cursor; null for a missing or malformed one. */
export function readCursor(text: string | undefined): Cursor | null {
  if (!text) return null;
  try {
    const [value, id] = cursorSchema.parse(JSON.parse(text));
    return { value, id };
  } catch {
    return null;
  }
}
