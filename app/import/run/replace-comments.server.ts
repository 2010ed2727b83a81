import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import type { ResolvedComment } from './resolved-post.ts';

const ROWS_AT_ONCE = 200;

/**
 * Sets exactly these comments on a post. Only imports write comments, so the present ones came from the same source.
 */
export async function replaceComments(
  tx: Transaction,
  clock: Clock,
  postId: string,
  comments: ResolvedComment[],
): Promise<void> {
  await tx.comment.deleteMany({ where: { postId } });
  const ids = comments.map(() => newId(clock));
  const createdAt = clock.now();
  const rows = comments.map(({ parent, ...comment }, position) => ({
    ...comment,
    id: ids[position]!,
    postId,
    position,
    parentId: parent === null ? null : ids[parent]!,
    createdAt,
  }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx.comment.createMany({ data: rows.slice(from, from + ROWS_AT_ONCE) });
}
