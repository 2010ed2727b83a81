import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import type { PostFields } from '#app/posts/post-fields.ts';
import { storeFields, type RevisionKind } from '#app/posts/revision.ts';

export type { RevisionKind };

/** Keeps a state of a post's fields. @returns the revision's id */
export async function writeRevision(
  tx: Transaction,
  clock: Clock,
  revision: {
    postId: string;
    /** The version that the post has with these fields, or that they started from. */
    postVersion: number;
    kind: RevisionKind;
    authorId: string | null;
    fields: PostFields;
    /** What changed, in words. */
    summary: string;
  },
): Promise<string> {
  const id = newId(clock);
  const now = clock.now();
  const { fields, ...columns } = revision;
  await tx.revision.create({
    data: { id, ...columns, fields: storeFields(fields), createdAt: now, updatedAt: now },
  });
  return id;
}

/** A real save holds what the editor's autosave held. */
export async function dropAutosaves(tx: Transaction, postId: string, editorId: string | null): Promise<void> {
  if (editorId === null) return;
  await tx.revision.deleteMany({ where: { postId, authorId: editorId, kind: 'autosave' } });
}
