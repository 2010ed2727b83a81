import type { By } from '#app/people/audit/audit.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { keysOf, oneOf } from '#app/platform/narrow.ts';
import type { Db } from '#app/platform/services.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import { postFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { sameValue } from '#app/posts/fields/stored.ts';
import { readPresentFields } from '#app/posts/terms/references.server.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { ofKind } from '#app/releases/check-release.server.ts';
import { readPostUndo, readTextUndo, type ReleaseItemRow } from '#app/releases/items.ts';
import { readLiveTexts, textKinds, textLabels, titleOfTexts } from '#app/releases/live-texts.server.ts';
import { isDeleted } from '#app/releases/planned-addresses.server.ts';
import {
  isRolledBack,
  readRelease,
  type ReleaseRow,
  type ReleaseWithItems,
} from '#app/releases/queries.server.ts';
import { createRelease, deleteRelease, type NewItem } from './edit.server.ts';
import { publishRelease, rolledBack } from './publish.server.ts';

const NAME_MAX = 120;

/**
 * Rolls a published release back: undoes its changes, except where something has changed since. The rollback is a
 * release itself, published now or scheduled. It looks for such changes when it is published.
 * @param input.rollbackAt absent or null: now
 * @throws AppError `not_found`; `conflict` for a release that is not published, is rolled back, or has a scheduled
 *   rollback already;
 *   `invalid_input` beside `rollbackAt`
 */
export async function rollBackRelease(
  app: PublishingContext,
  input: { id: string; rollbackAt?: Date | null; by: By },
): Promise<ReleaseRow> {
  const { id, rollbackAt = null, by } = input;
  if (rollbackAt && rollbackAt <= app.clock.now())
    throw fieldError('rollbackAt', 'Rollback time must be in the future.');
  const release = await readRelease(app, id);
  if (release.status !== 'published')
    throw new AppError('conflict', 'Only a published release can be rolled back.');
  if (await isRolledBack(app, id)) throw rolledBack();
  const step = rollbackAt ? 'schedule' : 'save';
  const name = cutText(`Rollback of “${release.name}”`, NAME_MAX);
  // In reverse order: the last change is undone first.
  const items = release.items.toReversed().flatMap(({ kind, subjectId, undo }): NewItem[] => {
    if (undo === null) return [];
    const { before, after } = JSON.parse(undo) as { before: unknown; after: unknown };
    const fields = JSON.stringify({ before: after, after: before });
    return [{ kind: kind as NewItem['kind'], subjectId, action: 'restore', fields }];
  });
  const undoing = { ofId: id, items };
  const rollback = await createRelease(app, { name, publishAt: rollbackAt, step, by, rollback: undoing });
  if (rollbackAt) return rollback;
  try {
    await publishRelease(app, { id: rollback.id, by });
  } catch (error) {
    await deleteRelease(app, { id: rollback.id, by });
    throw error;
  }
  return { ...rollback, status: 'published' };
}

/** Something that a release changed and that somebody has changed again since. A rollback does not change it. */
export interface ChangedSince {
  kind: string;
  subjectId: string;
  /** A post's title, a setting's or term's name. */
  title: string;
  /** What changed, in words. */
  what: string[];
}

/** The changes of a published release that a rollback would not undo, because somebody has changed the things since. */
export async function listChangedSince(app: Db, release: ReleaseWithItems): Promise<ChangedSince[]> {
  const { items } = release;
  const changed: ChangedSince[] = [];
  for (const item of ofKind(items, 'post')) changed.push(...(await changedPost(app, item)));
  for (const item of ofKind(items, ...textKinds)) {
    const undo = readTextUndo(item.undo);
    if (!undo) continue;
    const kind = oneOf(textKinds, item.kind);
    const live = await readLiveTexts(app.db, kind, item.subjectId);
    const names = Object.keys(undo.after).filter(
      (name) => undo.before[name] !== undo.after[name] && live?.[name] !== undo.after[name],
    );
    if (names.length === 0) continue;
    const title =
      (await titleOfTexts(app.db, kind, item.subjectId)) ?? undo.after.name ?? undo.after.displayName ?? '';
    const what = live ? names.map((name) => (textLabels[name] ?? name).toLowerCase()) : ['deleted'];
    changed.push({ kind, subjectId: item.subjectId, title, what });
  }
  return changed;
}

async function changedPost(app: Db, item: ReleaseItemRow): Promise<ChangedSince[]> {
  const undo = readPostUndo(item.undo);
  if (!undo) return [];
  const row = await app.db.post.findUnique({ where: { id: item.subjectId, ...notTrashed } });
  const subject = { kind: 'post', subjectId: item.subjectId };
  if (!row) return [{ ...subject, title: undo.after.fields.title ?? 'A post', what: ['deleted'] }];
  const live = await readPostFields(app.db, row);
  const left = await readPresentFields(app.db, undo.after);
  const names = keysOf(left).filter((name) => !sameValue(live[name], left[name]!));
  const { parentId } = undo.before.fields;
  if (parentId && !names.includes('parentId') && (await isDeleted(app.db, parentId))) names.push('parentId');
  const what = names.map((name): string => postFields[name].label);
  if (undo.before.status !== undo.after.status && row.status !== undo.after.status) what.unshift('state');
  return what.length === 0 ? [] : [{ ...subject, title: row.title, what }];
}
