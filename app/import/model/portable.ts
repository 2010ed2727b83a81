import * as z from 'zod';
import type { toPortable } from '#app/export/portable-post.ts';
import type { SourcePost } from './post.ts';

const timeText = z.iso.datetime().transform((value) => new Date(value));
const portable = z.looseObject({
  body: z.string(),
  slug: z.string(),
  status: z.string(),
  cover: z.string().nullable(),
  publishedAt: timeText.nullable(),
  archiveAt: timeText.nullable(),
  updatedAt: timeText.nullable(),
  comments: z.array(z.looseObject({ writtenAt: timeText })).default([]),
  aliases: z.array(z.string()),
  tags: z.array(z.looseObject({ name: z.string() })),
});

// `toPortable` writes each field of a post, and no other: else `Pick` is an error.
type PortablePost = Pick<SourcePost, keyof ReturnType<typeof toPortable>>;

/**
 * The post that `toPortable` wrote; null for anything else. Checks only what it converts, as the import
 * validates every source's posts with `sourcePostSchema`.
 */
export function readPortable(value: unknown): PortablePost | null {
  return (
    portable
      .transform((post): unknown => post)
      .pipe(z.custom<PortablePost>())
      .safeParse(value).data ?? null
  );
}
