import { z } from 'zod';
import type { PostFields } from '#app/posts/fields.ts';
import { postStatuses, type PostStatus } from '#app/posts/states.ts';

const time = z.iso.datetime().nullable();

const undoChange = z.union([
  /** Moves a post back to its state, times and tags, unless somebody has saved it since. */
  z.object({
    post: z.string(),
    /** The version that the change led to. */
    version: z.number().int(),
    status: z.enum(postStatuses),
    publishedAt: time,
    archiveAt: time,
    tags: z.array(z.string()),
  }),
  /** Takes something out of the trash; a post in the state that it had. */
  z.object({
    restore: z.enum(['post', 'media', 'category', 'tag']),
    id: z.string(),
    as: z.enum(postStatuses).optional(),
  }),
  /** Takes a post out of a release to which it was added. */
  z.object({ release: z.string(), added: z.string() }),
]);

/** How to undo what an action has changed in one thing. */
export type UndoChange = z.output<typeof undoChange>;

const undoStep = z.object({
  /** Where the message leads, below the admin path. */
  back: z.string(),
  changes: z.array(undoChange),
});

export type UndoStep = z.output<typeof undoStep>;

/** A stored step; null when it cannot be read. */
export function readUndoStep(text: string): UndoStep | null {
  try {
    return undoStep.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The step that undoes a change of a post that led to `version`. */
export function undoOf(
  post: { id: string; status: string },
  { publishedAt, archiveAt, tags }: PostFields,
  version: number,
): UndoChange {
  return {
    post: post.id,
    version,
    status: post.status as PostStatus,
    publishedAt: publishedAt?.toISOString() ?? null,
    archiveAt: archiveAt?.toISOString() ?? null,
    tags,
  };
}
