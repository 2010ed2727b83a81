import * as z from 'zod';
import { keysOf, oneOf } from '#app/platform/narrow.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { noReferences, storedPostFields, termReferences } from '#app/posts/fields/stored.ts';
import { itemActions } from '#app/releases/release.ts';

const time = z.iso.datetime().nullable();

/** The row of a scheduled update, with its fields as stored. */
const scheduledUpdate = z.object({
  fields: z.string(),
  dueAt: z.coerce.date(),
  authorId: z.string().nullable(),
  createdAt: z.coerce.date(),
});

export type UpdateRow = z.output<typeof scheduledUpdate>;

/** Restores a post's state, times and tags, unless somebody has saved it since. */
const postChange = z.object({
  post: z.string(),
  /** The version after the change. */
  version: z.number().int(),
  status: z.enum(postStatuses),
  publishedAt: time,
  archiveAt: time,
  tags: z.array(z.string()),
  /** What the terms of `tags` and `fields` were (`rememberUndo`). */
  terms: termReferences.default(noReferences),
  /** The fields before the action included unsaved changes of them. */
  fields: storedPostFields.optional(),
  /** The scheduled update that the action dropped. */
  update: scheduledUpdate.optional(),
});

export type PostUndo = z.output<typeof postChange>;

/** Removes a post's change from a release, unless somebody has stored another one there since. */
const releaseChange = z.object({
  release: z.string(),
  added: z.string(),
  /** When the action stored the change. */
  storedAt: z.coerce.date().optional(),
  /** The post's earlier change in the release, which comes back. */
  former: z
    .object({ action: z.enum(itemActions), fields: z.string(), updatedAt: z.coerce.date().optional() })
    .optional(),
  /** The text of an unpublished post before the action included unsaved changes of it. */
  text: postChange.optional(),
});

export type ReleaseUndo = z.output<typeof releaseChange>;

const undoChange = z.union([
  postChange,
  /** Restores something from the trash; a post in its former state. */
  z.object({
    restore: z.enum(['post', 'media', 'category', 'tag']),
    id: z.string(),
    as: z.enum(postStatuses).optional(),
    update: scheduledUpdate.optional(),
  }),
  releaseChange,
]);

/** How to undo the change of one post, term, file or release. */
export type UndoChange = z.output<typeof undoChange>;

const undoStep = z.object({
  /** The path of the message's screen, below the admin path. */
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
  before: PostFields,
  version: number,
  { update, taken = {} }: { update?: UpdateRow; taken?: Partial<PostFields> } = {},
): PostUndo {
  const { publishedAt, archiveAt, tags } = before;
  const names = keysOf(taken);
  return {
    post: post.id,
    version,
    status: oneOf(postStatuses, post.status),
    publishedAt: publishedAt?.toISOString() ?? null,
    archiveAt: archiveAt?.toISOString() ?? null,
    tags,
    terms: noReferences,
    ...(names.length > 0 && { fields: Object.fromEntries(names.map((name) => [name, before[name]])) }),
    ...(update && { update }),
  };
}
