import type { AuditAction } from '#app/people/audit/actions.ts';
import {
  writeAuditInSteps,
  type AuditEntry,
  type By,
  byCommand,
  byUser,
  writeAudit,
} from '#app/people/audit/audit.server.ts';
import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertInSteps, type JsonColumnType } from '#app/platform/database/insert-rows.server.ts';
import { inChunks, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import type { Message } from '#app/platform/message.ts';
import { isOneOf } from '#app/platform/narrow.ts';
import type { Clocked, Configured } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { TRASHED, type PostStatus } from '#app/posts/fields/states.ts';
import {
  newestFirst,
  storeUnsaved,
  type RevisionKind,
  type UnsavedForm,
  storeFields,
  type TermReferences,
  savedKinds,
} from '#app/posts/fields/stored.ts';
import type { RevisionOutcome } from '#app/posts/history/changes.ts';
import { isIncluded, listAutosaves, type AutosaveSummary } from '#app/posts/history/revisions.server.ts';
import { readReferences, storeText } from '#app/posts/terms/references.server.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';

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

const revisionColumns = {
  ...{ id: { type: 'text' }, post_id: { type: 'text' }, post_version: { type: 'integer' } },
  ...{ kind: { type: 'text' }, author_id: { type: 'text' }, fields: { type: 'text' } },
  ...{ summary: { type: 'text' }, outcome: { type: 'text' }, created_at: { type: 'time' } },
  updated_at: { type: 'time' },
} satisfies Record<string, { type: JsonColumnType }>;

/**
 * Collects the revisions and audit entries of a transaction's posts, and writes them in few statements at its end.
 * Written one by one they took longer than the posts (measured).
 */
export class PostBatch {
  readonly #by: By;
  readonly #revisions: NewRevision[] = [];
  readonly #audit: AuditEntry[] = [];

  constructor(by: By) {
    this.#by = by;
  }

  add(revision: NewRevision, step: StateStep): void {
    this.#revisions.push(revision);
    this.addStep(step);
  }

  /** Adds only an audit entry, for a change of state without a revision, such as the trigger's. */
  addStep(step: StateStep): void {
    const action = auditActionOf(step);
    if (action) this.#audit.push({ action, by: this.#by, subject: step.title });
  }

  /** Writes all rows. Call it once, inside the transaction that wrote the posts. */
  async write(app: Clocked & Configured, { tx, now }: PublicChange, settings: Settings): Promise<void> {
    const editorIds = await presentAccounts(tx, this.#revisions);
    const texts = this.#revisions.map(({ fields }) => fields);
    const termsOf = await readReferences(tx, texts);
    const rows = rowsOf(app, this.#revisions, { editorIds, termsOf, now });
    await insertInSteps(app, tx, 'revisions', revisionColumns, rows);
    await writeAuditInSteps(app, tx, this.#audit);
    const postIds = this.#revisions.map(({ postId }) => postId);
    await cleanUpRevisions(tx, postIds, settings, now);
  }
}

/** The editors whose accounts still exist: what they prepared may outlive them. */
async function presentAccounts(tx: Transaction, revisions: readonly NewRevision[]): Promise<Set<string>> {
  const ids = new Set(revisions.flatMap(({ authorId }) => authorId ?? []));
  if (ids.size === 0) return ids;
  const rows = await tx.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

/** Makes the rows one by one: encoding all texts at once would block the event loop. */
function* rowsOf(
  app: Clocked,
  revisions: readonly NewRevision[],
  {
    editorIds,
    termsOf,
    now,
  }: {
    editorIds: ReadonlySet<string>;
    termsOf: (fields: NewRevision['fields']) => TermReferences;
    now: Date;
  },
): Generator<object> {
  for (const { postId, postVersion, kind, authorId, fields, summary, outcome } of revisions)
    yield {
      id: newId(app.clock),
      post_id: postId,
      post_version: postVersion,
      kind,
      author_id: authorId !== null && editorIds.has(authorId) ? authorId : null,
      fields: storeFields(fields, termsOf(fields)),
      summary: toStored(summary),
      outcome: storeOutcome(outcome),
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    };
}

/**
 * Deletes the revisions of these posts beyond the number and age that the settings keep. The revision of a post's
 * current text is never deleted: a stale save is compared with it. Unsaved changes count for their age only, so that
 * saves by others do not delete them.
 */
export async function cleanUpRevisions(
  tx: Transaction,
  postIds: string[],
  settings: Pick<Settings, 'revision_keep_count' | 'revision_keep_days'>,
  now: Date,
): Promise<void> {
  for (const chunk of inChunks(postIds, ROWS_A_STEP)) await cleanUpSome(tx, chunk, settings, now);
}

async function cleanUpSome(
  tx: Transaction,
  postIds: string[],
  settings: Pick<Settings, 'revision_keep_count' | 'revision_keep_days'>,
  now: Date,
): Promise<void> {
  const { revision_keep_count: keepCount, revision_keep_days: keepDays } = settings;
  const crowded = await postsWithMoreThan(tx, postIds, keepCount);
  const aged =
    keepDays > 0 ? await postsWithOlder(tx, postIds, new Date(now.getTime() - keepDays * DAY_MS)) : null;
  const untidy = [...new Set([...crowded, ...(aged?.postIds ?? [])])];
  if (untidy.length === 0) return;
  // One read for all posts, without the texts.
  const revisions = await tx.revision.findMany({
    where: { postId: { in: untidy } },
    orderBy: newestFirst,
    select: { id: true, postId: true, kind: true, createdAt: true },
  });
  const byPost = new Map<string, typeof revisions>();
  for (const revision of revisions)
    byPost.set(revision.postId, [...(byPost.get(revision.postId) ?? []), revision]);
  const surplus = untidy.flatMap((postId) => {
    const ofPost = byPost.get(postId) ?? [];
    const current = ofPost.find(({ kind }) => isOneOf(savedKinds, kind));
    const others = ofPost.filter((revision) => revision !== current);
    const othersKept = current ? keepCount - 1 : keepCount;
    const tooMany = new Set(others.filter(({ kind }) => kind !== 'autosave').slice(othersKept));
    return others.filter((revision) => tooMany.has(revision) || (aged && revision.createdAt < aged.cutOff));
  });
  await tx.revision.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
}

async function postsWithMoreThan(tx: Transaction, postIds: string[], keepCount: number): Promise<string[]> {
  const groups = await tx.revision.groupBy({
    by: ['postId'],
    where: { postId: { in: postIds } },
    having: { postId: { _count: { gt: keepCount } } },
  });
  return groups.map(({ postId }) => postId);
}

async function postsWithOlder(tx: Transaction, postIds: string[], cutOff: Date) {
  const groups = await tx.revision.groupBy({
    by: ['postId'],
    where: { postId: { in: postIds }, createdAt: { lt: cutOff } },
  });
  return { cutOff, postIds: groups.map(({ postId }) => postId) };
}

const actions: Record<PostStatus, AuditAction> = {
  published: 'post.published',
  scheduled: 'post.scheduled',
  archived: 'post.archived',
  draft: 'post.withdrawn',
};

/** The actor of actions that no person started. */
export const byTrigger: By = { userId: null, actor: 'Trigger', address: '' };

/** A change of a post's state. */
interface StateStep {
  title: string;
  /** Null for a new post. */
  from: PostStatus | typeof TRASHED | null;
  to: PostStatus;
}

/** The audit log's name of a step; null for a save that leaves the state, which only revisions record. */
export function auditActionOf({ from, to }: StateStep): AuditAction | null {
  if (from === to) return null;
  if (from === TRASHED) return 'post.restored';
  return from === null && to === 'draft' ? 'post.created' : actions[to];
}

/** Records in the audit log that a post was created or has another state. */
export async function auditPostState(
  tx: Transaction,
  clock: Clock,
  change: StateStep & { editorId: string | null; address?: string },
): Promise<void> {
  const action = auditActionOf(change);
  if (!action) return;
  const by = await byEditor(tx, change.editorId, change.address);
  await writeAudit(tx, clock, { action, by, subject: change.title });
}

/** The person with an editor's id; null means a command. */
export async function byEditor(tx: Transaction, editorId: string | null, address = ''): Promise<By> {
  const user = editorId === null ? null : await tx.user.findUnique({ where: { id: editorId } });
  return user ? byUser(user, address) : byCommand;
}

/** Records in the audit log what a trigger did to posts. */
export async function auditTrigger(
  app: Clocked & Configured,
  tx: Transaction,
  action: 'post.published' | 'post.archived',
  titles: string[],
): Promise<void> {
  const entries = titles.map((subject) => ({ action, by: byTrigger, subject }));
  await writeAuditInSteps(app, tx, entries);
}
