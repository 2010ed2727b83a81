import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';

/**
 * Posts whose state one statement changes. On SQLite the statement blocks the event loop, with the triggers that update
 * counts and lists: 200 posts took 54 ms of processor time.
 */
export const POSTS_PER_STATEMENT = 20;

/** What a claim changes besides the version and the times. */
const states = {
  published: { status: 'published', hasBeenPublic: true },
  // Clears the archive time, so that publishing the post again does not archive it again.
  archived: { status: 'archived', archiveAt: null },
} as const;

interface ClaimedPost {
  id: string;
  slug: string;
  title: string;
}

/**
 * Publishes or archives those of the posts that still meet a condition. The change whose statement returns a row has
 * claimed that post, and no other can.
 * @param claim.where the condition. It stays in the outer WHERE and there is no `limit`: with one, Prisma moves the
 *   status into a subquery, and on PostgreSQL two transactions then both claimed the same rows.
 * @returns the claimed posts, in no order
 */
export async function claimPosts(
  { tx, now, affectsWritten }: PublicChange,
  postIds: readonly string[],
  claim: { to: keyof typeof states; where: object; publishedAt?: Date },
): Promise<ClaimedPost[]> {
  const { to, where, publishedAt } = claim;
  // In a fixed order, so that two changes wait for each other instead of deadlocking.
  const claimed = await inSteps([...postIds].sort(), POSTS_PER_STATEMENT, async (chunk) => {
    const posts = await tx.post.updateManyAndReturn({
      where: { ...where, id: { in: chunk } },
      data: { ...states[to], publishedAt, version: { increment: 1 }, contentUpdatedAt: now, updatedAt: now },
      select: { id: true, slug: true, title: true },
    });
    if (to === 'archived')
      await tx.scheduledUpdate.deleteMany({ where: { postId: { in: posts.map(({ id }) => id) } } });
    return posts;
  });
  affectsWritten(...claimed.map(({ id }) => id));
  return claimed;
}
