import type { Transaction } from '#app/platform/database/client.server.ts';
import type { UpdateRow } from '#app/publishing/change/undo-change.ts';

type Updates = Pick<Transaction, 'scheduledUpdate'>;

/** The row of a post's scheduled update, for an action that drops the update. */
export async function readUpdateRow(db: Updates, postId: string): Promise<UpdateRow | undefined> {
  const row = await db.scheduledUpdate.findUnique({ where: { postId } });
  if (!row) return undefined;
  const { fields, dueAt, authorId, createdAt } = row;
  return { fields, dueAt, authorId, createdAt };
}

/**
 * Schedules a dropped update again, for a post that is published again. An update whose time has passed is due at once.
 */
export async function rescheduleUpdate(
  tx: Updates,
  { id: postId, status }: { id: string; status: string },
  update: UpdateRow | undefined,
): Promise<void> {
  if (update && status === 'published') await tx.scheduledUpdate.create({ data: { postId, ...update } });
}
