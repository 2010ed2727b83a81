import type { Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { writeRevision } from './revisions.server.ts';

/** Stores the text of a scheduled update as a revision. @param update.version that of the post since the text is so */
export async function writeUpdateRevision(
  tx: Transaction,
  clock: Clock,
  update: { postId: string; version: number; editorId: string | null; fields: PostFields; changeAt: Date },
): Promise<void> {
  const { postId, version: postVersion, editorId: authorId, fields, changeAt } = update;
  await writeRevision(tx, clock, {
    postId,
    postVersion,
    kind: 'prepare',
    authorId,
    fields,
    summary: `Scheduled for ${changeAt.toISOString()}`,
  });
}
