import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Message } from '#app/platform/message.ts';
import type { Db } from '#app/platform/services.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';
import { postFields, type PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { SCHEDULED_TEXT, notTrashed } from '#app/posts/fields/states.ts';
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
  sameValue,
} from '#app/posts/fields/stored.ts';
import { readOutcome, type RevisionOutcome } from './changes.ts';

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
  ...{ id: true, kind: true, postVersion: true, summary: true, outcome: true, releaseId: true },
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

/** An editor's unsaved changes of a post, without their text. */
export interface AutosaveSummary {
  id: string;
  createdAt: Date;
  /**
   * The release for which they were typed, or `SCHEDULED_TEXT`. Null: they are for the post itself, as are those for a
   * release that is public or deleted by now.
   */
  releaseId: string | null;
  releaseName: string | null;
  isReleaseDeleted: boolean;
}

/** An editor's unsaved changes of a post, newest first: at most one of each text that it has. */
export async function listAutosaves(
  { db }: { db: Pick<Transaction, 'revision' | 'release'> },
  { postId, editorId }: { postId: string; editorId: string },
): Promise<AutosaveSummary[]> {
  const rows = await db.revision.findMany({
    where: { postId, authorId: editorId, kind: 'autosave' },
    select: { id: true, createdAt: true, releaseId: true },
    orderBy: newestFirst,
  });
  const ids = rows.flatMap(({ releaseId }) => (releaseId === SCHEDULED_TEXT ? [] : (releaseId ?? [])));
  const releases =
    ids.length === 0
      ? []
      : await db.release.findMany({
          where: { id: { in: ids } },
          select: { id: true, name: true, status: true },
        });
  return rows.map(({ id, createdAt, releaseId }) => {
    const release = releases.find((each) => each.id === releaseId);
    const open = release?.status === 'published' ? undefined : release;
    return {
      id,
      createdAt,
      releaseId: releaseId === SCHEDULED_TEXT ? releaseId : (open?.id ?? null),
      releaseName: open?.name ?? null,
      isReleaseDeleted: releaseId !== null && releaseId !== SCHEDULED_TEXT && !release,
    };
  });
}

/** True for the unsaved changes that a form contains. `autosavedAt`: the time of these, from the form. */
export function isIncluded({ createdAt }: Pick<AutosaveSummary, 'createdAt'>, autosavedAt: Date | undefined) {
  return createdAt.getTime() === autosavedAt?.getTime();
}

/** An editor's unsaved changes of a post that an action would leave out. */
export interface UnsavedCopy {
  postId: string;
  title: string;
  /** When the newest of the changes was typed. */
  at: Date;
  /** The post's fields with the unsaved changes. */
  fields: PostFields;
  /** The post's fields as saved. */
  saved: PostFields;
  /** The changes alone. */
  changes: Partial<PostFields>;
  /**
   * The version to save the changes with. It is an old one if somebody has changed the same fields since, so that the
   * save reports a conflict.
   */
  version: number;
  /** The post's version. */
  currentVersion: number;
}

/**
 * Finds the unsaved changes of an editor that an action would leave out; null when there are none. Those that were
 * typed for a release stay with it.
 * @param action.fields what the action saves; fields that it does not change are absent
 * @param action.includedUntil when the newest unsaved changes in `action.fields` were typed
 */
export async function findUnsavedCopy(
  app: Db,
  { postId, editorId }: { postId: string; editorId: string },
  action: { fields: Partial<PostFields>; includedUntil?: Date },
): Promise<UnsavedCopy | null> {
  const copy = await findAutosave(app, { postId, editorId });
  if (!copy || isIncluded(copy, action.includedUntil)) return null;
  const row = await app.db.post.findUnique({ where: { id: postId, ...notTrashed } });
  if (!row) return null;
  const saved = await readPostFields(app.db, row);
  const opened = (await findSavedFields(app, postId, copy.postVersion)) ?? saved;
  const changed = changedFields(opened, copy.fields);
  const afterAction = { ...saved, ...action.fields };
  if (changed.every((name) => sameValue(copy.fields[name], afterAction[name]))) return null;
  const isConflict = changedFields(opened, saved).some(
    (name) => changed.includes(name) && !sameValue(saved[name], copy.fields[name]),
  );
  const changes = Object.fromEntries(changed.map((name) => [name, copy.fields[name]]));
  return {
    postId,
    title: row.title,
    at: copy.createdAt,
    fields: { ...saved, ...changes },
    saved,
    changes,
    version: isConflict ? copy.postVersion : row.version,
    currentVersion: row.version,
  };
}
