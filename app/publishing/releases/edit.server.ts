import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { newId, newIds } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertInSteps, type JsonColumnType } from '#app/platform/database/insert-rows.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import {
  changeHidden,
  type HiddenChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import type { ReleaseItemRow } from '#app/releases/items.ts';
import { releaseOf, type ReleaseRow } from '#app/releases/queries.server.ts';
import type { ItemAction, ItemKind } from '#app/releases/release.ts';

/** One change that goes into a release. */
export interface NewItem {
  kind: ItemKind;
  subjectId: string;
  action: ItemAction;
  /** JSON. */
  fields?: string;
}

const TIME_IN_PAST = 'Publication time must be in the future.';

/** What a release's form can do besides publishing it. */
type ReleaseStep = 'save' | 'schedule' | 'unschedule';

interface ReleaseFields {
  name?: string;
  /** Null: no time. Absent: unchanged. */
  publishAt?: Date | null;
}

/**
 * Creates an empty release, or a rollback with its changes.
 * @throws AppError `invalid_input` beside `publishAt`; `conflict` for a second scheduled rollback of a release
 */
export async function createRelease(
  app: PublishingContext,
  input: {
    name: string;
    publishAt?: Date | null;
    step: 'save' | 'schedule';
    by: By;
    /** For a rollback: the release that it undoes, and the items of the rollback. */
    rollback?: { ofId: string; items: NewItem[] };
  },
): Promise<ReleaseRow> {
  const { name, publishAt = null, step, by, rollback } = input;
  return changeHidden(app, async (change) => {
    const { tx, now } = change;
    if (step === 'schedule') requireFuture(publishAt, now);
    if (step === 'schedule' && rollback) await requireNoScheduledRollback(tx, rollback.ofId);
    const status = step === 'schedule' ? 'scheduled' : 'draft';
    const data = {
      id: newId(app.clock),
      name,
      status,
      publishAt,
      createdById: by.userId,
      rollbackOfId: rollback?.ofId,
      createdAt: now,
      updatedAt: now,
    };
    const row = await tx.release.create({ data });
    const undone = rollback?.items ?? [];
    const ids = newIds(app.clock, undone.length);
    const items = undone.map(({ fields = '{}', ...item }, index) => ({
      ...item,
      fields,
      undo: null,
      id: ids[index]!,
      releaseId: row.id,
      authorId: by.userId,
      createdAt: now,
      updatedAt: now,
    }));
    await insertReleaseItems(app, change, items);
    await writeAudit(tx, app.clock, {
      action: status === 'scheduled' ? 'release.scheduled' : 'release.created',
      by,
      subject: name,
    });
    return releaseOf(row);
  });
}

async function requireNoScheduledRollback(tx: HiddenChange['tx'], rollbackOfId: string): Promise<void> {
  if (await tx.release.findFirst({ where: { rollbackOfId, status: 'scheduled' }, select: { id: true } }))
    throw new AppError('conflict', 'A rollback of this release is scheduled already.');
}

/**
 * Changes the name and time of a release, and whether it is scheduled. A scheduled release needs a time in the future.
 * @throws AppError `not_found`; `conflict` once it is published, and for a second scheduled rollback of a release;
 *   `invalid_input` beside `publishAt`
 */
export async function editRelease(
  app: PublishingContext,
  input: ReleaseFields & { id: string; step: ReleaseStep; by: By },
): Promise<ReleaseRow> {
  const { id, step, by } = input;
  return changeHidden(app, async (change) => {
    const { tx, now } = change;
    const before = await lockRelease(change, id);
    const name = input.name ?? before.name;
    const publishAt = input.publishAt === undefined ? before.publishAt : input.publishAt;
    const status = step === 'save' ? before.status : step === 'schedule' ? 'scheduled' : 'draft';
    // A release that is overdue can be renamed.
    const keepsTime = step === 'save' && publishAt?.getTime() === before.publishAt?.getTime();
    if (status === 'scheduled' && !keepsTime) requireFuture(publishAt, now);
    if (status === 'scheduled' && status !== before.status && before.rollbackOfId)
      await requireNoScheduledRollback(tx, before.rollbackOfId);
    const data = { name, publishAt, status };
    const row = await tx.release.update({ where: { id }, data });
    if (status !== before.status)
      await writeAudit(tx, app.clock, {
        action: status === 'scheduled' ? 'release.scheduled' : 'release.unscheduled',
        by,
        subject: name,
      });
    return releaseOf(row);
  });
}

/** Deletes an unpublished release. Its posts stay. @throws AppError `not_found`, `conflict` */
export async function deleteRelease(app: PublishingContext, input: { id: string; by: By }): Promise<void> {
  await changeHidden(app, async (change) => {
    const { name } = await lockRelease(change, input.id);
    await change.tx.release.delete({ where: { id: input.id } });
    await writeAudit(change.tx, app.clock, { action: 'release.deleted', by: input.by, subject: name });
  });
}

/**
 * Locks an unpublished release for this transaction by raising its version: a transaction that publishes it at the same
 * time checks the version. Deletes the stored problem of the last trigger, because the release is about to change.
 * @throws AppError `not_found`; `conflict` once it is published
 */
export async function lockRelease({ tx, now }: HiddenChange, id: string): Promise<ReleaseRow> {
  const [row] = await tx.release.updateManyAndReturn({
    where: { id, status: { not: 'published' } },
    data: { problem: '', version: { increment: 1 }, updatedAt: now },
  });
  if (row) return releaseOf(row);
  throw await refusalOf(tx, id);
}

async function refusalOf(tx: Transaction, id: string): Promise<AppError> {
  const present = await tx.release.findUnique({ where: { id }, select: { name: true } });
  if (!present) return new AppError('not_found', 'This release does not exist.');
  return new AppError(
    'conflict',
    say('The release “{name}” is published and can’t be changed any more.', { name: present.name }),
  );
}

function requireFuture(publishAt: Date | null, now: Date): void {
  if (!publishAt || publishAt <= now) throw fieldError('publishAt', TIME_IN_PAST);
}

const columns = {
  ...{ id: { type: 'text' }, release_id: { type: 'text' }, kind: { type: 'text' } },
  ...{ subject_id: { type: 'text' }, action: { type: 'text' }, fields: { type: 'text' } },
  ...{ undo: { type: 'text' }, author_id: { type: 'text' }, created_at: { type: 'time' } },
  updated_at: { type: 'time' },
} satisfies Record<string, { type: JsonColumnType }>;

/** Inserts the items of a release in few statements: there may be hundreds, with whole texts. */
export async function insertReleaseItems(
  app: Pick<PublishingContext, 'env'>,
  { tx }: HiddenChange,
  items: readonly ReleaseItemRow[],
): Promise<void> {
  const rows = items.map((item) => ({
    id: item.id,
    release_id: item.releaseId,
    kind: item.kind,
    subject_id: item.subjectId,
    action: item.action,
    fields: item.fields,
    undo: item.undo,
    author_id: item.authorId,
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
  }));
  await insertInSteps(app, tx, 'release_items', columns, rows);
}
