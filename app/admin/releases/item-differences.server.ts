import { describeDifferences, type ShownDifference } from '#app/admin/differences/describe.server.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import type { App } from '#app/app.ts';
import { oneOf } from '#app/platform/narrow.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import type { StoredText } from '#app/posts/fields/stored.ts';
import { emptyPostFields } from '#app/posts/fields/values.ts';
import { readPresentFields } from '#app/posts/terms/references.server.ts';
import { wantedTexts } from '#app/publishing/releases/apply-texts.server.ts';
import { planItemChange } from '#app/publishing/releases/plan-item-change.ts';
import { readPostUndo, readTextUndo } from '#app/releases/item-changes.ts';
import { readChangedFields } from '#app/releases/post-change.server.ts';
import { addressOfTarget, readLiveTexts, textKinds, textLabels } from '#app/releases/live-texts.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';
import type { ReleaseWithItems } from '#app/releases/queries.server.ts';

/**
 * What a change of a release changes, or has changed if the release is published. Null for a change of a state alone,
 * and of a post that no longer exists.
 */
export async function differencesOf(
  args: ScreenArguments,
  item: ReleaseItemRow,
  release: ReleaseWithItems,
): Promise<ShownDifference[] | null> {
  if (item.kind !== 'post') return textDifferences(args.app, item);
  const { app, adminContext } = args;
  const undo = readPostUndo(item.undo);
  if (undo) {
    const [before, after] = [undo.before, undo.after].map(({ fields }) => ({
      ...emptyPostFields,
      ...fields,
    }));
    const differences = await describeDifferences(app, before!, after!, adminContext);
    // Archiving changes only the state, which the screen shows anyway.
    return item.action === 'archive' && differences.length === 0 ? null : differences;
  }
  const row =
    /^(update|restore)$/.test(item.action) &&
    (await app.db.post.findUnique({ where: { id: item.subjectId } }));
  if (!row) return null;
  const live = await readPostFields(app.db, row);
  const changed =
    item.action === 'update'
      ? { ...live, ...(await readChangedFields(app.db, item)) }
      : await fieldsAfterRollback(app, item, { release, row, live });
  return describeDifferences(app, live, changed, adminContext);
}

/** What a rollback that is not published yet will leave of a post: what was changed since the release stays. */
async function fieldsAfterRollback(
  app: ScreenArguments['app'],
  item: ReleaseItemRow,
  {
    release,
    row,
    live,
  }: { release: ReleaseWithItems; row: { status: string; contentUpdatedAt: Date }; live: PostFields },
): Promise<PostFields> {
  // It has left this post as it was.
  if (release.status === 'published') return live;
  const present = (stored: StoredText) => readPresentFields(app.db, stored);
  return (await planItemChange(item, row, live, { at: app.clock.now(), present }))?.fields ?? live;
}

async function textDifferences(
  { db, workers }: Pick<App, 'db' | 'workers'>,
  item: ReleaseItemRow,
): Promise<ShownDifference[]> {
  const kind = oneOf(textKinds, item.kind);
  const undo = readTextUndo(item.undo);
  const before = undo?.before ?? (await readLiveTexts(db, kind, item.subjectId)) ?? {};
  const after = undo?.after ?? wantedTexts(item, before) ?? {};
  const names = Object.keys(after).filter((name) => (before[name] ?? '') !== (after[name] ?? ''));
  // The text of a redirect names its target by an id.
  const shown = async (text: string | null | undefined) =>
    kind === 'redirect' ? ((await addressOfTarget(db, text ?? null)) ?? '') : (text ?? '');
  const differences: ShownDifference[] = [];
  for (const name of names) {
    const lines = await workers.compareTexts(await shown(before[name]), await shown(after[name]));
    differences.push({ label: textLabels[name] ?? name, kind: 'text', lines });
  }
  return differences;
}
