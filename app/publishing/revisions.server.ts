import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import type { PostFields } from '#app/posts/fields.ts';
import type { RevisionOutcome } from '#app/posts/revision-outcome.ts';
import { newestFirst, storeFields, type RevisionKind } from '#app/posts/revision.ts';

export type { RevisionKind };

/** An editor's autosaves of a draft within this time share one revision. Then another one begins. */
const COALESCE_MS = 30 * 60 * 1000;

export interface NewRevision {
  postId: string;
  /** The version of the post with these fields, or on which the fields are based. */
  postVersion: number;
  kind: RevisionKind;
  authorId: string | null;
  fields: PostFields;
  /** The reason why it is stored, in words; empty for a save. */
  summary: string;
  /** Only for a save. */
  outcome?: RevisionOutcome;
}

/** An outcome as revisions store it. */
export function storeOutcome(outcome: RevisionOutcome | undefined): string {
  return outcome ? JSON.stringify(outcome) : '';
}

/** Stores a post's fields as a revision. */
export async function writeRevision(tx: Transaction, clock: Clock, revision: NewRevision): Promise<void> {
  const now = clock.now();
  const { fields, outcome, ...columns } = revision;
  const stored = { fields: storeFields(fields), outcome: storeOutcome(outcome) };
  const data = { ...columns, ...stored, updatedAt: now };
  const running = revision.kind === 'draft' ? await findRunningDraft(tx, revision, now) : null;
  if (running) await tx.revision.update({ where: { id: running.id }, data });
  else await tx.revision.create({ data: { ...data, id: newId(clock), createdAt: now } });
}

/** The revision that the next autosave of a draft updates: the post's newest, if the same editor began it lately. */
async function findRunningDraft(tx: Transaction, { postId, authorId }: NewRevision, now: Date) {
  const newest = await tx.revision.findFirst({
    where: { postId },
    orderBy: newestFirst,
    select: { id: true, kind: true, authorId: true, createdAt: true },
  });
  const isRunning =
    newest?.kind === 'draft' &&
    newest.authorId === authorId &&
    now.getTime() - newest.createdAt.getTime() < COALESCE_MS;
  return isRunning ? newest : null;
}

/**
 * Ends an editor's unsaved changes of a post when that editor saves. Changes that the save includes are deleted;
 * newer ones, typed in another tab, become a revision.
 * @param includedUntil when the newest changes that the save includes were typed
 */
export async function endAutosaves(
  tx: Transaction,
  { postId, editorId }: { postId: string; editorId: string | null },
  includedUntil: Date | null,
): Promise<void> {
  if (editorId === null) return;
  const own = { postId, authorId: editorId, kind: 'autosave' };
  if (includedUntil) await tx.revision.deleteMany({ where: { ...own, createdAt: { lte: includedUntil } } });
  await tx.revision.updateMany({ where: own, data: leftOut });
}

/** The kind and summary for unsaved changes that a newer save of the same editor does not include. */
const leftOut = { kind: 'conflict', summary: 'Not saved: a save without these changes came after them' };

/** Stores an editor's unsaved changes as a revision if they are newer than `includedUntil` and differ from `fields`. */
export async function keepNewerAutosave(
  tx: Transaction,
  { postId, editorId }: { postId: string; editorId: string },
  { includedUntil, fields }: { includedUntil: Date; fields: string },
): Promise<void> {
  const own = { postId, authorId: editorId, kind: 'autosave' };
  await tx.revision.updateMany({
    where: { ...own, createdAt: { gt: includedUntil }, fields: { not: fields } },
    data: leftOut,
  });
}
