import { insertInSteps } from '#app/platform/database/json-insert.server.ts';
import type { HiddenChange, PublishingContext } from '#app/publishing/change/public-change.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';

const columns = {
  id: { type: 'text' },
  release_id: { type: 'text' },
  kind: { type: 'text' },
  subject_id: { type: 'text' },
  action: { type: 'text' },
  fields: { type: 'text' },
  undo: { type: 'text' },
  author_id: { type: 'text' },
  created_at: { type: 'time' },
  updated_at: { type: 'time' },
} as const;

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
