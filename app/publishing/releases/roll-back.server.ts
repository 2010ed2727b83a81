import type { By } from '#app/people/audit/audit.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { isRolledBack, readRelease, type ReleaseRow } from '#app/releases/queries.server.ts';
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
