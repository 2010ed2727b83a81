import { newId } from '#app/platform/clock.ts';
import { AppError } from '#app/platform/errors.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import type { PostFields } from '#app/posts/post-fields.ts';
import { storeFields } from '#app/posts/revision.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { holdPosts } from './post-row.server.ts';
import type { PublishingContext } from './public-change.server.ts';

/**
 * Keeps what an editor has typed so far: one revision for each editor and post, until that editor's next
 * real save. The post itself, its version and its pages stay as they are.
 * @param input.version what the editor had open
 * @throws AppError `not_found`.
 */
export async function saveAutosave(
  app: Pick<PublishingContext, 'db' | 'clock'>,
  input: { postId: string; editorId: string; version: number; fields: Partial<PostFields> },
): Promise<{ savedAt: Date }> {
  const { postId, editorId, version } = input;
  const now = app.clock.now();
  await inTransaction(app.db, async (tx) => {
    // Two autosaves at once (two tabs) wait for each other here.
    await holdPosts(tx, [postId]);
    const row = await tx.post.findUnique({ where: { id: postId } });
    if (!row) throw new AppError('not_found', 'This post no longer exists.');
    const fields = storeFields({ ...(await readPostFields(tx, row)), ...input.fields });
    const { count } = await tx.revision.updateMany({
      where: { postId, authorId: editorId, kind: 'autosave' },
      // Its age counts from the last word typed, also for the clean-up.
      data: { fields, postVersion: version, createdAt: now, updatedAt: now },
    });
    if (count > 0) return;
    await tx.revision.create({
      data: {
        id: newId(app.clock),
        postId,
        postVersion: version,
        kind: 'autosave',
        authorId: editorId,
        fields,
        summary: 'Not saved yet',
        createdAt: now,
        updatedAt: now,
      },
    });
  });
  return { savedAt: now };
}
