import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import type { Db } from '#app/platform/services.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';
import { postFields, type PostFields } from '#app/posts/fields/fields.ts';
import {
  changedFields,
  savedKinds,
  newestFirst,
  readRevisionFields,
  readRevisionText,
  readUnsavedForm,
  type RevisionKind,
  type TermReferences,
  type UnsavedForm,
} from '#app/posts/fields/stored.ts';
import { listAutosaves } from './autosaves.server.ts';
import { readOutcome, type RevisionOutcome } from './outcome.ts';

/** A revision as the list shows it: who, when, what changed. */
export interface RevisionSummary {
  id: string;
  kind: RevisionKind;
  /** The version that the post got by it, or on which it is based. */
  postVersion: number;
  /** Display name; null for a command or a removed account. */
  author: string | null;
  /** The reason why it was stored, in words. */
  summary: Message;
  /** Only for a save: the labels of the changed fields, and the states. Null for older saves, whose summary says it. */
  outcome: (Omit<RevisionOutcome, 'changed'> & { changed: string[] }) | null;
  /** The release for which the text was typed or kept; null: the post itself. */
  releaseId: string | null;
  createdAt: Date;
}

/** A revision with its fields, and for unsaved changes what else their form said. */
export interface RevisionWithFields extends RevisionSummary, UnsavedForm {
  fields: PostFields;
  terms: TermReferences;
}

const summaryColumns = {
  id: true,
  kind: true,
  postVersion: true,
  summary: true,
  outcome: true,
  releaseId: true,
  createdAt: true,
  author: { select: { displayName: true } },
} as const;

/** A post's revisions, newest first. */
export async function listRevisions(app: Db, postId: string): Promise<RevisionSummary[]> {
  const rows = await app.db.revision.findMany({
    where: { postId },
    select: summaryColumns,
    orderBy: newestFirst,
  });
  return rows.map(toSummary);
}

/** One revision of a post with its fields. @throws AppError `not_found`. */
export async function readRevision(app: Db, postId: string, revisionId: string): Promise<RevisionWithFields> {
  const row = await app.db.revision.findUnique({
    where: { id: revisionId, postId },
    select: { ...summaryColumns, fields: true },
  });
  if (!row) throw new AppError('not_found', 'This revision no longer exists.');
  const text = readRevisionText(row.fields);
  if (!text) throw new AppError('not_found', 'This revision can no longer be read.');
  return { ...toSummary(row), ...text, ...readUnsavedForm(row.fields) };
}

/** An editor's unsaved changes of the live text of a post, typed after the last save; null when there are none. */
export async function findAutosave(
  app: Db,
  own: { postId: string; editorId: string },
): Promise<RevisionWithFields | null> {
  const found = (await listAutosaves(app, own)).find(({ releaseId }) => releaseId === null);
  if (!found) return null;
  const row = await app.db.revision.findUnique({
    where: { id: found.id },
    select: { ...summaryColumns, fields: true },
  });
  const text = row && readRevisionText(row.fields);
  return row && text && { ...toSummary(row), ...text, ...readUnsavedForm(row.fields) };
}

/**
 * The fields of a post at a version; null when that revision is no longer kept. A version that changed only the state,
 * such as the trigger's, has no revision: its fields are those of the newest revision before it.
 */
export async function findSavedFields(
  app: { db: Pick<Transaction, 'revision'> },
  postId: string,
  version: number,
): Promise<PostFields | null> {
  const row = await app.db.revision.findFirst({
    where: { postId, postVersion: { lte: version }, kind: { in: [...savedKinds] } },
    orderBy: [{ postVersion: 'desc' }, ...newestFirst],
    select: { fields: true },
  });
  return row && readRevisionFields(row.fields);
}

/**
 * True if a post has the text of an earlier version, since only the text of its scheduled update was saved since then. A
 * save of the live text from that version overwrites nothing.
 * @param opened.version the earlier version
 */
export async function hasOpenedText(
  app: { db: Pick<Transaction, 'revision'> },
  post: { id: string; version: number; status: string },
  opened: { version: number; live: PostFields },
): Promise<boolean> {
  if (post.status !== 'published') return false;
  const later = await app.db.revision.findMany({
    where: { postId: post.id, kind: 'prepare', releaseId: null, postVersion: { gt: opened.version } },
    select: { postVersion: true },
    distinct: ['postVersion'],
  });
  if (later.length === 0 || later.length !== post.version - opened.version) return false;
  const saved = await findSavedFields(app, post.id, opened.version);
  return saved !== null && changedFields(saved, opened.live).length === 0;
}

/**
 * Display name of the person who saved the post's current version; null for the trigger, a command or a removed
 * account.
 */
export async function findLastEditor(app: Db, post: { id: string; version: number }): Promise<string | null> {
  const last = await app.db.revision.findFirst({
    where: { postId: post.id, postVersion: post.version, kind: { notIn: ['autosave', 'conflict'] } },
    select: { author: { select: { displayName: true } } },
  });
  return last?.author?.displayName ?? null;
}

function toSummary({
  author,
  ...row
}: Omit<RevisionSummary, 'author' | 'kind' | 'outcome' | 'summary'> & {
  kind: string;
  summary: string;
  outcome: string;
  author: { displayName: string } | null;
}): RevisionSummary {
  const { id, postVersion, summary, releaseId, createdAt } = row;
  const kind = row.kind as RevisionKind;
  const read = readOutcome(row.outcome);
  const outcome = read && { ...read, changed: read.changed.map((name) => postFields[name].label) };
  return {
    id,
    kind,
    postVersion,
    author: author?.displayName ?? null,
    summary: fromStored(summary),
    outcome,
    releaseId,
    createdAt,
  };
}
