import type { Transaction } from '#app/platform/database/client.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readStoredText } from '#app/posts/fields/stored.ts';
import { readPresentFields, type TermReader } from '#app/posts/terms/references.server.ts';
import type { ReleaseItemRow } from './problem.ts';

/** The fields that an item changes of its post, with their present terms; null for fields that cannot be read. */
export async function readChangedFields(
  db: TermReader,
  { fields: json }: Pick<ReleaseItemRow, 'fields'>,
): Promise<Partial<PostFields> | null> {
  const stored = readStoredText(json);
  return stored && readPresentFields(db, stored);
}

/** The fields that a release changes of a published post; null when it changes none. */
export async function readPostChange(
  db: TermReader & Pick<Transaction, 'releaseItem'>,
  { releaseId, postId }: { releaseId: string; postId: string },
): Promise<Partial<PostFields> | null> {
  const where = { releaseId, kind: 'post', subjectId: postId, action: 'update' };
  const item = await db.releaseItem.findFirst({ where, select: { fields: true } });
  return item && readChangedFields(db, item);
}
