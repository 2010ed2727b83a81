import { pathsOf } from '#app/media/queries.server.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import type { PostFields } from '#app/posts/fields.ts';

/**
 * Restores the files in the trash that a post names. A file may be put there while somebody writes a text with it, since
 * only saved texts count as uses. A save calls this after it has written its row: a simultaneous deletion of the file
 * then either sees the post or comes first.
 */
export async function restoreNamedMedia(
  tx: Transaction,
  { body, coverMediaId }: Pick<PostFields, 'body' | 'coverMediaId'>,
  now: Date,
): Promise<void> {
  if (coverMediaId === null && !body.includes('/uploads/')) return;
  // There are few at any time: a file in use leaves the trash.
  const trashed = await tx.media.findMany({
    where: { trashedAt: { not: null } },
    select: { id: true, path: true, variants: true },
  });
  const named = trashed.filter(
    (media) => media.id === coverMediaId || pathsOf(media).some((path) => body.includes(`/uploads/${path}`)),
  );
  if (named.length === 0) return;
  const ids = { in: named.map(({ id }) => id) };
  await tx.media.updateMany({ where: { id: ids }, data: { trashedAt: null, updatedAt: now } });
  await tx.trashItem.deleteMany({ where: { id: ids } });
}
