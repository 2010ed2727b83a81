import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { requireOwnPage, isMultipart } from '#app/admin/frame/read-form.server.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { listMediaUses, listSomeMediaUses } from '#app/media/library/queries.server.ts';
import { requireAlt, type Media } from '#app/media/library/store-media.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { mayActOnPost, mayChangeMedia, type Actor } from '#app/people/roles.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import { describeMedia, replaceMedia } from '#app/publishing/media/change.server.ts';
import { trashMedia, usedByOthers } from '#app/publishing/media/trash.server.ts';
import { rememberUndo } from '#app/publishing/trash/undo.server.ts';
import { withReleaseStates } from '#app/releases/queries.server.ts';
import { mediaCard } from './card.ts';
import { withUpload, type Upload } from './read-upload.server.ts';

/** The most uses that the screen lists. */
const USES_SHOWN = 100;

export async function load({ app, params, request, user }: ScreenArguments) {
  const media = await findMedia(app, params.id);
  const uploader = media.uploadedById
    ? await app.db.user.findUnique({ where: { id: media.uploadedById }, select: { displayName: true } })
    : null;
  const { uses, isCut } = await listSomeMediaUses(app, media, USES_SHOWN);
  const isImage = media.mimeType.startsWith('image/');
  // Posts that the user may not see are only counted.
  const shown = uses.filter((post) => mayActOnPost(user, post, 'view'));
  const seen = await withReleaseStates(app, user, uses);
  const mayChangeAll = mayChangeMedia(user, media) && seen.every((post) => mayActOnPost(user, post, 'save'));
  return {
    media: mediaCard(media),
    mimeType: media.mimeType,
    uploader: uploader?.displayName ?? null,
    uses: shown.map(({ authorId: _authorId, ...post }) => post),
    otherUses: uses.length - shown.length,
    hasMoreUses: isCut,
    // Decided by the listed uses only; the action checks all uses.
    mayChange: mayChangeMedia(user, media),
    mayDelete: mayChangeAll,
    mayReplace: isImage && mayChangeAll,
    saved: new URL(request.url).searchParams.has('saved'),
  };
}

export async function act(args: ActionArguments): Promise<Done> {
  const { app, params, request, user, adminContext, address } = args;
  const media = await findMedia(app, params.id);
  requireOwn(user, media);
  const by = byUser(user, address);
  const page = (id: string): Done => ({
    location: `${adminUrl(adminContext.adminPath, 'media', id)}?saved`,
    id,
  });
  if (isMultipart(request)) {
    await requireOwnUses(app, user, media);
    const successor = await withUpload(request, mediaLimits.fileBytes, async (upload) => {
      requireOwnPage({ user, request, fields: upload.texts });
      return replaceMedia(app, by, media.id, { ...(await onlyFile(upload)), uploadedById: user.id });
    });
    return page(successor.id);
  }
  const { values } = args.form;
  switch (values.intent ?? 'save') {
    case 'save':
      await describeMedia(app, media.id, requireAlt(values.alt ?? ''));
      return page(media.id);
    case 'delete':
      await moveToTrash(args, media);
      await rememberUndo(
        app,
        user.id,
        say('“{title}” was moved to the trash.', { title: media.originalName }),
        {
          back: 'media',
          changes: [{ restore: 'media', id: media.id }],
        },
      );
      return { location: adminUrl(adminContext.adminPath, 'media'), id: media.id };
    default:
      throw unknownIntent();
  }
}

/** Moves a file to the trash if the user may change it and all posts that use it. @throws AppError as `trashMedia` */
export async function moveToTrash(
  { app, user, address }: Pick<ScreenArguments, 'app' | 'user' | 'address'>,
  media: Media,
): Promise<void> {
  requireOwn(user, media);
  await requireOwnUses(app, user, media);
  await trashMedia(app, byUser(user, address), media.id);
}

function requireOwn(user: Actor, media: Media): void {
  if (!mayChangeMedia(user, media))
    throw new AppError('forbidden', 'Someone else uploaded this file. Ask an editor.');
}

// A file that is replaced or deleted changes the posts that show it, so the user needs the right to change all of them.
async function requireOwnUses(
  app: ScreenArguments['app'],
  user: ScreenArguments['user'],
  media: Media,
): Promise<void> {
  const posts = await withReleaseStates(app, user, await listMediaUses(app, media));
  if (posts.some((post) => !mayActOnPost(user, post, 'save'))) throw usedByOthers();
}

async function findMedia(app: ScreenArguments['app'], id: string | undefined) {
  const media = await app.db.media.findUnique({ where: { id: id ?? '', trashedAt: null } });
  if (!media) throw new AppError('not_found', 'This file does not exist.');
  return media;
}

async function onlyFile({ files }: Upload) {
  const [file] = files;
  const isImage = file?.format === null && !file.isTooLarge;
  if (files.length === 1 && isImage) return { bytes: await file.read(), originalName: file.name };
  const limit = mediaLimits.fileBytes / 1024 / 1024;
  throw fieldError(
    'file',
    files.length === 1 ? say('Choose an image of at most {limit} MB.', { limit }) : 'Choose one file.',
  );
}
