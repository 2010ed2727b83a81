import { listEmbedsWith, listMediaUses, pathsOf, type MediaUse } from '#app/media/library/queries.server.ts';
import type { Media } from '#app/media/library/store-media.server.ts';
import { removeLater } from '#app/media/library/sweep.server.ts';
import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { may } from '#app/people/roles.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { lockTables } from '#app/platform/database/transaction.server.ts';
import { AppError, invalidInput } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import {
  changeHidden,
  changePublicContent,
  type PublishingContext,
  putIntoTrash,
} from '#app/publishing/change/public-change.server.ts';
import { mayKnow, readEditor } from '#app/publishing/post-row/addresses.server.ts';
import {
  requireMedia,
  TABLES_THAT_NAME_MEDIA,
  requireInNoRelease,
  requireOnlyInPosts,
} from './change.server.ts';

/**
 * Moves a file that nothing of the site uses to the trash: its address answers 404.
 * @throws AppError `not_found`; `invalid_input` while posts, unpublished releases, the header, a term or an
 *   author use it.
 */
export async function trashMedia(app: PublishingContext, by: By, id: string): Promise<void> {
  await changePublicContent(app, async ({ tx, now }) => {
    await lockTables(tx, app.env.database.dialect, TABLES_THAT_NAME_MEDIA);
    const media = await requireMedia(tx, id);
    await requireUnused(tx, media, by);
    // Clears the details of embeds with this picture: the next save of a text with such an embed fetches the picture
    // again.
    const embeds = { url: { in: await listEmbedsWith({ db: tx }, media) } };
    await tx.embed.updateMany({ where: embeds, data: { details: '', fetchedAt: new Date(0) } });
    await tx.media.update({ where: { id }, data: { trashedAt: now, updatedAt: now } });
    const { originalName: title, uploadedById: ownerId } = media;
    const item = { id, kind: 'media' as const, title, ownerId };
    await putIntoTrash(tx, { ...item, trashedById: by.userId, trashedAt: now });
    await writeAudit(tx, app.clock, { action: 'media.trashed', by, subject: title });
  });
}

/** Restores a file from the trash. @throws AppError `not_found`. */
export async function restoreMedia(app: PublishingContext, by: By, id: string): Promise<void> {
  await changePublicContent(app, async ({ tx, now }) => {
    const [media] = await tx.media.updateManyAndReturn({
      where: { id, trashedAt: { not: null } },
      data: { trashedAt: null, updatedAt: now },
      select: { originalName: true },
    });
    if (!media) throw notInTrash();
    await tx.trashItem.deleteMany({ where: trashEntries('media', id) });
    await writeAudit(tx, app.clock, { action: 'media.restored', by, subject: media.originalName });
  });
}

/**
 * Deletes a file in the trash permanently; the next sweep removes it from disk.
 * @throws AppError `not_found`; `invalid_input` while something uses it, as `trashMedia`
 */
export async function purgeMedia(app: PublishingContext, by: By, id: string): Promise<void> {
  await changeHidden(app, async ({ tx, now }) => {
    await lockTables(tx, app.env.database.dialect, TABLES_THAT_NAME_MEDIA);
    const media = await tx.media.findUnique({ where: { id, trashedAt: { not: null } } });
    if (!media) throw notInTrash();
    await requireUnused(tx, media, by);
    await tx.media.delete({ where: { id } });
    await tx.trashItem.deleteMany({ where: trashEntries('media', id) });
    // Deleted without the usual hour: no reader was served it while it was in the trash.
    await removeLater(tx, pathsOf(media), now, { afterMs: 0 });
    await writeAudit(tx, app.clock, { action: 'media.deleted', by, subject: media.originalName });
  });
}

async function requireUnused(tx: Transaction, media: Media, { userId }: By): Promise<void> {
  const uses = await listMediaUses({ db: tx }, media);
  for (const post of uses) if (!(await mayKnow(tx, userId, post))) throw usedByOthers();
  if (uses.length > 0) throw mediaInUse(uses);
  try {
    await requireInNoRelease(tx, media);
    await requireOnlyInPosts(tx, media);
  } catch (error) {
    const editor = await readEditor(tx, userId);
    // The error names a release, category or tag.
    throw editor && !may(editor, 'taxonomy:manage') ? usedByOthers() : error;
  }
}

/** The error for a file in something of which the user may not know. */
export function usedByOthers(): AppError {
  return new AppError('forbidden', 'A post that you can’t edit uses this file. Ask an editor.');
}

function mediaInUse(uses: MediaUse[]): AppError {
  const named = uses.slice(0, 5).map(({ title }) => `“${title}”`);
  const [titles, number] = [named.join(', '), uses.length - named.length];
  const message =
    number === 0
      ? say('Posts use this file: {titles}. Change them first.', { titles })
      : say('Posts use this file: {titles} and {number} more. Change them first.', { titles, number });
  return invalidInput(message);
}

function notInTrash(): AppError {
  return new AppError('not_found', 'This file is not in the trash any more.');
}
