import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { findSavedFields } from '#app/posts/history/revisions.server.ts';
import { lockPosts, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { storeText } from '#app/posts/terms/references.server.ts';
import { cleanUpRevisions } from './clean-up-revisions.server.ts';
import { writeRevision } from './revisions.server.ts';
import { readTextChange } from './waiting-texts.server.ts';

/**
 * Stores the fields of a save that lost a conflict as a revision, in its own transaction. Stores the same text only
 * once. Never throws: the editor must see the conflict, not a failure here.
 */
export async function storeRejectedSave(
  app: PublishingContext,
  rejected: {
    postId: string;
    version?: number;
    fields: Partial<PostFields>;
    editorId: string | null;
    /** The release to which the fields were to be saved, or `SCHEDULED_TEXT`. */
    releaseId?: string;
  },
): Promise<void> {
  const { postId, version = 0, editorId, releaseId } = rejected;
  if (Object.keys(rejected.fields).length === 0) return;
  try {
    const settings = await readSettings(app);
    await inTransaction(app.db, async (tx) => {
      await lockPosts(app, tx, [postId]);
      const row = await tx.post.findUnique({ where: { id: postId, ...notTrashed } });
      if (!row) return;
      const saved = (await findSavedFields({ db: tx }, postId, version)) ?? (await readPostFields(tx, row));
      const started = {
        ...saved,
        ...(releaseId && (await readTextChange({ db: tx }, { releaseId, postId }))),
      };
      const fields = { ...started, ...rejected.fields };
      if (changedFields(started, fields).length === 0) return;
      const same = { postId, kind: 'conflict', authorId: editorId, fields: await storeText(tx, fields) };
      if (await tx.revision.findFirst({ where: same, select: { id: true } })) return;
      await writeRevision(tx, app.clock, {
        postId,
        postVersion: version,
        kind: 'conflict',
        authorId: editorId,
        fields,
        releaseId,
        summary: say('Not saved: started from version {version}, the post was at {now}', {
          version,
          now: row.version,
        }),
      });
      await cleanUpRevisions(tx, [postId], settings, app.clock.now());
    });
  } catch (error) {
    app.log.error(
      { reason: messageOf(error), postId },
      'The text of a conflicting save could not be kept as a revision',
    );
  }
}
