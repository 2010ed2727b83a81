import { removeCards } from '#app/media/library/social-cards.server.ts';
import { byCommand, type By, writeAudit } from '#app/people/audit/audit.server.ts';
import { requirePostAccess, may, mayActOnPost, mayChangeMedia, type Actor } from '#app/people/roles.ts';
import { isAppError, AppError } from '#app/platform/errors.ts';
import type { Message } from '#app/platform/message.ts';
import type { Db } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { trashedId, trashEntries } from '#app/platform/trash-key.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { postNotFound } from '#app/posts/not-found.ts';
import {
  forgetReleaseProblems,
  type PublishingContext,
  changePublicContent,
} from '#app/publishing/change/public-change.server.ts';
import { TRASH_DAYS, type TrashKind, statusBefore } from '#app/publishing/change/trash-item.ts';
import { purgeMedia } from '#app/publishing/media/trash.server.ts';
import { byEditor } from '#app/publishing/post-row/history.server.ts';
import { purgeTerm } from '#app/publishing/terms/trash.server.ts';
import { withReleaseState } from '#app/releases/queries.server.ts';

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

/**
 * Deletes a post for good, with its revisions, redirects, scheduled update and preview links. This frees its addresses.
 * Editors can do so only in the trash.
 * @param input.status only deletes a post in that state
 * @throws AppError `not_found`.
 */
export async function deletePost(
  app: PublishingContext,
  input: { postId: string; status?: string; editorId?: string | null; address?: string },
): Promise<{ id: string; title: string }> {
  const { postId, status, editorId = null } = input;
  const deleted = await changePublicContent(app, async ({ tx, affects }) => {
    const post = await tx.post.findUnique({
      where: { id: postId, status },
      select: { id: true, title: true, status: true },
    });
    if (!post) throw postNotFound();
    await forgetReleaseProblems(tx);
    await tx.post.deleteMany({ where: { id: postId, status } });
    await tx.trashItem.deleteMany({ where: trashEntries('post', postId) });
    affects(...(post.status === 'published' ? [postId] : []));
    const by = await byEditor(tx, editorId, input.address);
    await writeAudit(tx, app.clock, { action: 'post.deleted', by, subject: post.title });
    return post;
  });
  // When the store does not answer, the card stays there unused.
  await removeCards(app.mediaStore, postId).catch((error: unknown) => {
    app.log.warn({ err: error, postId }, 'The social card of a deleted post was not removed');
  });
  return deleted;
}

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
