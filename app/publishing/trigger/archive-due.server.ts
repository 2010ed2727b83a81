import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import { dueForArchive } from '#app/posts/fields/states.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { auditTrigger } from '#app/publishing/post-row/audit.server.ts';
import { cleanUpRevisions } from '#app/publishing/post-row/clean-up-revisions.server.ts';
import { POSTS_PER_STATEMENT } from '#app/publishing/post-row/posts-per-statement.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** Posts per transaction, as in publishing. */
const BATCH_SIZE = 200;

/** Archives the published posts whose archive time has passed. Yields the slugs of each committed batch. */
export async function* archiveInBatches(
  app: PublishingContext,
  dueAt: Date,
  settings: Settings,
): AsyncGenerator<string[]> {
  for (;;) {
    const due = await app.db.post.findMany({
      where: dueForArchive(dueAt),
      orderBy: [{ archiveAt: 'asc' }],
      take: BATCH_SIZE,
      select: { id: true },
    });
    if (due.length === 0) return;
    const ids = due.map(({ id }) => id).sort();
    yield await changePublicContent(
      app,
      async ({ tx, now, affectsWritten }) => {
        // The same claim as in publishing: all conditions in the outer WHERE, no limit.
        const archived = await inSteps(ids, POSTS_PER_STATEMENT, async (chunk) => {
          const posts = await tx.post.updateManyAndReturn({
            where: { id: { in: chunk }, ...dueForArchive(dueAt) },
            // Clears the archive time, so that publishing the post again does not archive it again.
            data: {
              status: 'archived',
              archiveAt: null,
              version: { increment: 1 },
              contentUpdatedAt: now,
              updatedAt: now,
            },
            select: { id: true, slug: true, title: true },
          });
          await tx.scheduledUpdate.deleteMany({ where: { postId: { in: posts.map(({ id }) => id) } } });
          return posts;
        });
        const archivedIds = archived.map(({ id }) => id);
        affectsWritten(...archivedIds);
        await cleanUpRevisions(tx, archivedIds, settings, now);
        const titles = archived.map(({ title }) => title);
        await auditTrigger(app, tx, 'post.archived', titles);
        return archived.map(({ slug }) => slug);
      },
      { drain: false },
    );
  }
}
