import { writeAudit } from '#app/auth/audit.server.ts';
import { pathsOf } from '#app/media/queries.server.ts';
import type { Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import type { PostFields } from '#app/posts/fields.ts';
import { byEditor } from './audit-post.server.ts';

/**
 * Restores the files in the trash that a post names. A file may be put there while somebody writes a text with it, since
 * only saved texts count as uses. A save calls this after it has written its row: a simultaneous deletion of the file
 * then either sees the post or comes first.
 */
export async function restoreNamedMedia(
  tx: Transaction,
  clock: Clock,
  { body, coverMediaId }: Pick<PostFields, 'body' | 'coverMediaId'>,
  { editorId, address }: { editorId: string | null; address?: string },
): Promise<void> {
  if (coverMediaId === null && !body.includes('/uploads/')) return;
  // There are few at any time: a file in use leaves the trash.
  const trashed = await tx.media.findMany({
    where: { trashedAt: { not: null } },
    select: { id: true, path: true, variants: true, originalName: true },
  });
  const named = trashed.filter(
    (media) => media.id === coverMediaId || pathsOf(media).some((path) => body.includes(`/uploads/${path}`)),
  );
  if (named.length === 0) return;
  const ids = { in: named.map(({ id }) => id) };
  await tx.media.updateMany({ where: { id: ids }, data: { trashedAt: null, updatedAt: clock.now() } });
  await tx.trashItem.deleteMany({ where: { id: ids } });
  const by = await byEditor(tx, editorId, address);
  const entries = named.map(({ originalName: subject }) => ({
    action: 'media.restored' as const,
    by,
    subject,
  }));
  await writeAudit(tx, clock, ...entries);
}
