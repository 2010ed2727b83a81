import type { App } from '#app/app.ts';
import type { PostFields } from './fields.ts';
import { readStoredFields } from './revision.ts';

/** A change of a published post that waits for its time. */
export interface ScheduledUpdate {
  /** Only what it changes; laid over the live fields it gives the post as it will be. Null: it cannot be read. */
  fields: Partial<PostFields> | null;
  changeAt: Date;
  authorId: string | null;
  createdAt: Date;
}

/** The change that is prepared for a post, or null. */
export async function readScheduledUpdate(
  app: Pick<App, 'db'>,
  postId: string,
): Promise<ScheduledUpdate | null> {
  const row = await app.db.scheduledUpdate.findUnique({ where: { postId } });
  if (!row) return null;
  const { authorId, createdAt } = row;
  return { fields: readStoredFields(row.fields), changeAt: row.dueAt, authorId, createdAt };
}
