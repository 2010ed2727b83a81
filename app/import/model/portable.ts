import * as z from 'zod';
import type { toPortable } from '#app/export/portable-post.ts';
import type { SourcePost } from './post.ts';

const time = z.iso.datetime().transform((value) => new Date(value));
const portable = z.looseObject({
  body: z.string(),
  slug: z.string(),
  status: z.string(),
  cover: z.string().nullable(),
  publishedAt: time.nullable(),
  archiveAt: time.nullable(),
  updatedAt: time.nullable(),
  comments: z.array(z.looseObject({ writtenAt: time })).default([]),
  aliases: z.array(z.string()),
  tags: z.array(z.looseObject({ name: z.string() })),
});

type Written = ReturnType<typeof toPortable>;

/**
 * The post that `toPortable` wrote; null for anything else. Checks only what it converts, hence the casts: the import
 * validates every source's posts with `sourcePostSchema`.
 */
export function readPortable(value: unknown): Pick<SourcePost, keyof Written> | null {
  const parsed = portable.safeParse(value);
  if (!parsed.success) return null;
  // `toPortable` writes each field of a post, and no other: else `satisfies` or `Pick` is an error.
  const written = parsed.data as unknown as Written satisfies Record<keyof SourcePost, unknown>;
  return written as unknown as Pick<SourcePost, keyof Written>;
}
