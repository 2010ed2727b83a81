import { byCommand, type By } from '#app/people/audit/audit.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { trashedId } from '#app/platform/trash-key.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { TRASH_DAYS, type TrashKind } from '#app/publishing/change/trash-item.ts';
import { purgeMedia } from '#app/publishing/media/trash.server.ts';
import { purgeTerm } from '#app/publishing/terms/trash.server.ts';
import { deletePost } from './delete-post.server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_SIZE = 100;

/**
 * Deletes something in the trash for good.
 * @throws AppError `not_found`; `invalid_input` for a file that posts use again.
 */
export async function purgeTrashed(
  app: PublishingContext,
  by: By,
  { kind, id }: { kind: TrashKind; id: string },
): Promise<void> {
  if (kind === 'post') {
    const { userId: editorId, address } = by;
    await deletePost(app, { postId: id, status: TRASHED, editorId, address });
  } else if (kind === 'media') await purgeMedia(app, by, id);
  else await purgeTerm(app, by, { kind, id });
}

/** Deletes for good what has been in the trash for 30 days. A file that posts use again is kept. */
export async function purgeExpiredTrash(app: PublishingContext): Promise<void> {
  const expired = new Date(app.clock.now().getTime() - TRASH_DAYS * DAY_MS);
  for (let last = ''; ;) {
    const items = await app.db.trashItem.findMany({
      where: { trashedAt: { lte: expired }, id: { gt: last } },
      orderBy: { id: 'asc' },
      take: BATCH_SIZE,
      select: { id: true, kind: true },
    });
    for (const { id, kind } of items)
      try {
        const item = { kind: kind as TrashKind, id: trashedId(id) };
        await purgeTrashed(app, { ...byCommand, actor: 'Trigger' }, item);
      } catch (error) {
        // Somebody restored or purged it meanwhile, or it is in use again.
        if (!isAppError(error)) throw error;
      }
    if (items.length < BATCH_SIZE) return;
    last = items.at(-1)!.id;
  }
}
