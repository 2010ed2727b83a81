import { requirePostAccess } from '#app/people/post-access.ts';
import { may, mayActOnPost, mayChangeMedia, type Actor } from '#app/people/roles.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import type { Db } from '#app/platform/services.ts';
import { statusBefore } from '#app/publishing/change/trash-item.ts';
import { withReleaseState } from '#app/releases/scheduled-drafts.server.ts';

interface Item {
  id: string;
  kind: string;
  details: string;
}

/** Why this person may neither restore nor purge an item of the trash; null where they may. */
export async function trashRefusal(app: Db, user: Actor, item: Item): Promise<Message | null> {
  try {
    await requireTrashAccess(app, user, item);
    return null;
  } catch (error) {
    if (isAppError(error) && error.code === 'forbidden') return error.said;
    throw error;
  }
}

/**
 * Requires the right to delete an item of the trash: whoever may delete an item may also restore it.
 * @throws AppError `forbidden`
 */
export async function requireTrashAccess(app: Db, user: Actor, { id, kind, details }: Item): Promise<void> {
  const refusal = new AppError('forbidden', 'This belongs to another person. Ask an editor.');
  if (kind === 'post') {
    const post = await app.db.post.findUnique({ where: { id }, select: { authorId: true } });
    const before = post && { ...post, id, status: statusBefore(details) };
    if (!before || !mayActOnPost(user, before, 'view')) throw refusal;
    requirePostAccess(user, await withReleaseState(app, user, before), 'delete');
  } else if (kind === 'media') {
    const media = await app.db.media.findUnique({ where: { id }, select: { uploadedById: true } });
    if (!media || !mayChangeMedia(user, media)) throw refusal;
  } else if (!may(user, 'taxonomy:manage')) throw refusal;
}
