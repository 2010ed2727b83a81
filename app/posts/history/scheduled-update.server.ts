import type { Transaction } from '#app/platform/database/client.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readStoredText } from '#app/posts/fields/stored.ts';
import { readPresentFields, type TermReader } from '#app/posts/terms/references.server.ts';

/** A scheduled update of a published post. */
export interface ScheduledUpdate {
  /** The changed fields only, with their present terms; the other fields are those of the live post. Null: they cannot be read. */
  fields: Partial<PostFields> | null;
  changeAt: Date;
  authorId: string | null;
  createdAt: Date;
}

/** The scheduled update of a post, or null. */
export async function readScheduledUpdate(
  { db }: { db: TermReader & Pick<Transaction, 'scheduledUpdate'> },
  postId: string,
): Promise<ScheduledUpdate | null> {
  const row = await db.scheduledUpdate.findUnique({ where: { postId } });
  if (!row) return null;
  const { authorId, createdAt } = row;
  const stored = readStoredText(row.fields);
  const fields = stored && (await readPresentFields(db, stored));
  return { fields, changeAt: row.dueAt, authorId, createdAt };
}
