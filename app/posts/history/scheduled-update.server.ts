import type { Transaction } from '#app/platform/database/client.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readStoredFields } from '#app/posts/fields/stored.ts';

/** A scheduled update of a published post. */
export interface ScheduledUpdate {
  /** The changed fields only; the other fields are those of the live post. Null: they cannot be read. */
  fields: Partial<PostFields> | null;
  changeAt: Date;
  authorId: string | null;
  createdAt: Date;
}

/** The scheduled update of a post, or null. */
export async function readScheduledUpdate(
  app: { db: Pick<Transaction, 'scheduledUpdate'> },
  postId: string,
): Promise<ScheduledUpdate | null> {
  const row = await app.db.scheduledUpdate.findUnique({ where: { postId } });
  if (!row) return null;
  const { authorId, createdAt } = row;
  return { fields: readStoredFields(row.fields), changeAt: row.dueAt, authorId, createdAt };
}
