import * as z from 'zod';
import type { Prisma } from '#app/platform/database/client.server.ts';
import type { Message } from '#app/platform/message.ts';
import { postStatuses, type PostStatus } from '#app/posts/fields/states.ts';
import { noReferences, storedPostFields, termReferences, type StoredText } from '#app/posts/fields/stored.ts';

export type ReleaseItemRow = Prisma.ReleaseItemGetPayload<object>;

/** Why one change of a release cannot be published. */
export interface ItemProblem {
  itemId: string;
  problem: Message;
  /** The field of the post's form that is wrong; absent: the address as a whole, or none. */
  field?: 'parentId' | 'type';
}

/** A post at a publication: the changed fields, the state, and the time of the last change that readers saw. */
export interface PostSnapshot extends StoredText {
  status: PostStatus;
  contentUpdatedAt: Date;
}

/** The values before and after a publication. */
export interface Undo<Snapshot> {
  before: Snapshot;
  after: Snapshot;
}

const postSnapshot: z.ZodType<PostSnapshot> = z.object({
  status: z.enum(postStatuses),
  contentUpdatedAt: z.coerce.date(),
  fields: storedPostFields,
  terms: termReferences.default(noReferences),
});

/** Texts by name; null: there was no such row. */
const textSnapshot = z.record(z.string(), z.string().nullable());
export type TextSnapshot = z.output<typeof textSnapshot>;

export const readPostUndo = reader(z.object({ before: postSnapshot, after: postSnapshot }));
export const textUndo = z.object({ before: textSnapshot, after: textSnapshot });
export const readTextUndo = reader(textUndo);
export const readTexts = reader(textSnapshot);

/** Names a change of a release as it is now, so that a save can tell whether its form knew it. */
export function nameOfChange({ id, updatedAt }: { id: string; updatedAt: Date }): string {
  return `${id}:${updatedAt.getTime()}`;
}

/** Returns a function that reads stored JSON; null for JSON of another shape. */
function reader<Value>(schema: z.ZodType<Value>) {
  return (json: string | null): Value | null => {
    if (json === null) return null;
    try {
      return schema.safeParse(JSON.parse(json)).data ?? null;
    } catch {
      return null;
    }
  };
}
