import type { App } from '#app/app.ts';
import { requirePostAccess } from '#app/auth/post-access.ts';
import { may, mayActOnPost, mayChangeMedia, type Actor } from '#app/auth/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { withReleaseState } from '#app/releases/scheduled-drafts.server.ts';
import { statusBefore } from './trash-item.ts';

/**
 * Requires the right to delete an item of the trash: whoever may delete an item may also restore it.
 * @throws AppError `forbidden`
 */
export async function requireTrashAccess(
  app: Pick<App, 'db'>,
  user: Actor,
  { id, kind, details }: { id: string; kind: string; details: string },
): Promise<void> {
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
