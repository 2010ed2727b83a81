import type { App } from '#app/app.ts';
import { may, mayActOnPost, mayChangeMedia, type Actor } from '#app/auth/roles.ts';
import { AppError } from '#app/platform/errors.ts';
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
    if (!post || !mayActOnPost(user, { ...post, status: statusBefore(details) }, 'delete')) throw refusal;
  } else if (kind === 'media') {
    const media = await app.db.media.findUnique({ where: { id }, select: { uploadedById: true } });
    if (!media || !mayChangeMedia(user, media)) throw refusal;
  } else if (!may(user, 'taxonomy:manage')) throw refusal;
}
