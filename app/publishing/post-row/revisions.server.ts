import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { type Message } from '#app/platform/message.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { newestFirst, storeUnsaved, type RevisionKind, type UnsavedForm } from '#app/posts/fields/stored.ts';
import { isIncluded, listAutosaves, type AutosaveSummary } from '#app/posts/history/autosaves.server.ts';
import type { RevisionOutcome } from '#app/posts/history/outcome.ts';
import { readReferences, storeText } from '#app/posts/terms/references.server.ts';

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
  summary: Message;
  /** The release for which the text was kept. */
  releaseId?: string;
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
  const { fields, outcome, summary, ...columns } = revision;
  const stored = {
    fields: await storeText(tx, fields),
    outcome: storeOutcome(outcome),
    summary: toStored(summary),
  };
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
 * Ends an editor's unsaved changes of a post, or of its change in a release, when that editor saves. Changes that the
 * save includes are deleted; others, typed in another tab, become a revision.
 * @param autosavedAt when the changes that the save includes were typed
 */
export async function endAutosaves(
  tx: Transaction,
  saved: { postId: string; editorId: string | null; releaseId?: string },
  autosavedAt: Date | undefined,
): Promise<void> {
  const { releaseId = null } = saved;
  const rows = await endIncludedAutosaves(tx, saved, autosavedAt);
  await leaveOut(
    tx,
    rows.filter((row) => row.releaseId === releaseId),
  );
}

/**
 * Deletes an editor's unsaved changes of a post that a save or an autosave of a draft includes.
 * @param autosavedAt when the changes that it includes were typed
 * @returns the editor's other unsaved changes
 */
export async function endIncludedAutosaves(
  tx: Transaction,
  { postId, editorId }: { postId: string; editorId: string | null },
  autosavedAt: Date | undefined,
): Promise<AutosaveSummary[]> {
  if (editorId === null) return [];
  const rows = await listAutosaves({ db: tx }, { postId, editorId });
  const included = rows.filter((row) => isIncluded(row, autosavedAt));
  if (included.length > 0)
    await tx.revision.deleteMany({ where: { ...named(included), createdAt: autosavedAt } });
  return rows.filter((row) => !included.includes(row));
}

/** Makes unsaved changes that a newer save or autosave does not include a revision. */
async function leaveOut(
  tx: Transaction,
  rows: readonly AutosaveSummary[],
  where: { fields?: { not: string } } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const data = { kind: 'conflict', summary: 'Not saved: a save without these changes came after them' };
  await tx.revision.updateMany({ where: { ...named(rows), ...where }, data });
}

function named(rows: readonly AutosaveSummary[]) {
  return { id: { in: rows.map(({ id }) => id) }, kind: 'autosave' };
}

/**
 * Stores an editor's unsaved changes in place of those that they include. Others of the same page, typed in another tab,
 * become a revision unless the form says nothing of what it includes.
 * @param autosavedAt when the changes that these include were typed
 */
export async function writeAutosave(
  tx: Transaction,
  clock: Clock,
  autosave: Pick<NewRevision, 'postId' | 'postVersion' | 'fields'> & {
    editorId: string;
    releaseId: string | null;
    autosavedAt: Date | undefined;
  } & Partial<UnsavedForm>,
): Promise<void> {
  const { postId, postVersion, editorId, releaseId, autosavedAt } = autosave;
  const now = clock.now();
  const { fields: typed } = autosave;
  const terms = (await readReferences(tx, [typed]))(typed);
  const fields = storeUnsaved({ fields: typed, terms }, autosave);
  const rows = await listAutosaves({ db: tx }, { postId, editorId });
  const replaced = rows.filter((row) => row.releaseId === releaseId || isIncluded(row, autosavedAt));
  const others = replaced.filter((row) => !isIncluded(row, autosavedAt));
  if (autosavedAt) await leaveOut(tx, others, { fields: { not: fields } });
  // Its age counts from the last change, for the clean-up too.
  const data = { fields, postVersion, releaseId, createdAt: now, updatedAt: now };
  const { count } = await tx.revision.updateMany({ where: named(replaced), data });
  if (count > 0) return;
  const own = { postId, authorId: editorId, kind: 'autosave', summary: 'Not saved yet' };
  await tx.revision.create({ data: { ...data, ...own, id: newId(clock) } });
}
