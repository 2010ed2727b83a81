import * as z from 'zod';

/** The id that a form proposes for a new post; null if it is missing or not a UUIDv7. */
export function readPostId(value: string | undefined): string | null {
  return z.uuidv7().safeParse(value).data?.toLowerCase() ?? null;
}
