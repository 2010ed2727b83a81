import type { Database } from '#app/platform/database/client.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readStoredFields } from '#app/posts/fields/stored.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';
import type { ReleaseRow } from '#app/releases/queries.server.ts';
import { plannedTermsSince } from './terms-since.ts';
import { readChangesSince, type RecordedTextChange } from './text-changes.server.ts';

type Reader = { db: Pick<Database, 'textChange'> };

/** Brings the terms and authors among stored fields of a post up to date. Other fields come back as they are. */
export type PresentFields = (stored: Partial<PostFields>) => Partial<PostFields>;

/** The same for fields that were stored at different times. */
export type PresentTerms = (stored: Partial<PostFields>, savedAt: Date) => Partial<PostFields>;

/**
 * Makes what brings stored changes of posts up to date. A change stores its tags by name and its category by id, as they
 * are when it is saved; a tag that is renamed, merged or put into the trash afterwards would come back with its old name.
 * An author is stored by username, which a command changes; of a deleted account, readers would see it as a guest's name.
 * @param oldest when the oldest of the changes was saved
 * @param unrecorded changes of terms that the open transaction has made
 */
export async function readPresentTerms(
  app: Reader,
  oldest: Date,
  unrecorded: readonly RecordedTextChange[] = [],
): Promise<PresentTerms> {
  const changes = [...(await readChangesSince(app, oldest)), ...unrecorded];
  return (fields, savedAt) => plannedTermsSince(changes, { fields, savedAt });
}

/** The same for fields that were all stored at one time. */
export async function readPresentFields(app: Reader, savedAt: Date): Promise<PresentFields> {
  const presentTerms = await readPresentTerms(app, savedAt);
  return (stored) => presentTerms(stored, savedAt);
}

/** From which changes on the terms are missing in what a published release has stored of its posts. */
export function undoSavedAt({
  publishedAt,
  rollbackOfId,
  updatedAt,
}: Pick<ReleaseRow, 'publishedAt' | 'rollbackOfId' | 'updatedAt'>): Date {
  const at = publishedAt ?? updatedAt;
  // A release changes terms before it changes posts, a rollback afterwards.
  return rollbackOfId === null ? new Date(at.getTime() + 1) : at;
}

/** For a rollback: from when on the stored terms of the release that it undoes need to be brought up to date. */
export async function readUndoneAt(
  { db }: { db: Pick<Database, 'release'> },
  { rollbackOfId }: Pick<ReleaseRow, 'rollbackOfId'>,
): Promise<Date | null> {
  const undone = rollbackOfId && (await db.release.findUnique({ where: { id: rollbackOfId } }));
  return undone ? undoSavedAt(undone) : null;
}

/** The stored fields of a change of a post, with its terms up to date; null for fields that cannot be read. */
export async function readChangedFields(
  app: Reader,
  { fields: json, updatedAt }: Pick<ReleaseItemRow, 'fields' | 'updatedAt'>,
): Promise<Partial<PostFields> | null> {
  const fields = readStoredFields(json);
  if (!fields?.tags && !fields?.categoryId && !fields?.authors) return fields;
  return (await readPresentFields(app, updatedAt))(fields);
}

/** The fields that a release changes of a published post; null when it changes none. */
export async function readPostChange(
  app: Reader & { db: Pick<Database, 'releaseItem'> },
  { releaseId, postId }: { releaseId: string; postId: string },
): Promise<Partial<PostFields> | null> {
  const where = { releaseId, kind: 'post', subjectId: postId, action: 'update' };
  const item = await app.db.releaseItem.findFirst({ where, select: { fields: true, updatedAt: true } });
  return item && readChangedFields(app, item);
}
