import { z } from 'zod';

/** The id that a form gives a post which does not exist yet; null for none and for anything but a UUIDv7. */
export function readPostId(value: string | undefined): string | null {
  return z.uuidv7().safeParse(value).data?.toLowerCase() ?? null;
}
