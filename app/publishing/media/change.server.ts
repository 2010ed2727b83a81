import { listEmbedsWith, listMediaUses, pathsOf } from '#app/media/library/queries.server.ts';
import { storeMedia, type Media, type MediaUpload } from '#app/media/library/store-media.server.ts';
import { removeLater } from '#app/media/library/sweep.server.ts';
import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { lockTables } from '#app/platform/database/table-lock.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import {
  changePublicContent,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { renderBody, type RenderedBody } from '#app/publishing/post-row/render-body.server.ts';
import { readPost } from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { isPictureOutsidePosts, replaceInReleases, replaceOutsidePosts } from './places.server.ts';

// Locked while uses are counted: otherwise a save could still name a file that is being removed.
export const TABLES_THAT_NAME_MEDIA = ['releases', 'posts', 'prepared_changes', 'revisions'];

/**
 * Changes the library's description of a picture, the default for new uses. Posts that show the picture keep their own
 * description; the pages of categories, tags and authors show this one.
 * @throws AppError `not_found`.
 */
export async function describeMedia(app: PublishingContext, id: string, alt: string): Promise<void> {
  await changePublicContent(app, async ({ tx, now, affects, affectsEveryPage }) => {
    const [media] = await tx.media.updateManyAndReturn({
      where: { id, trashedAt: null },
      data: { alt, updatedAt: now },
    });
    if (!media) throw notFound();
    if (await isPictureOutsidePosts(tx, media)) affectsEveryPage();
    else affects();
  });
}

/**
 * Replaces a picture by another one with a new name. Every post that shows the old one shows the new one and gets a
 * revision. The old file is deleted an hour later.
 * @returns the new row.
 * @throws AppError `not_found`; `invalid_input` with the reason why the file is refused.
 */
export async function replaceMedia(
  app: PublishingContext,
  by: By,
  id: string,
  upload: MediaUpload,
): Promise<Media> {
  const picture = await app.db.media.findUnique({ where: { id, trashedAt: null } });
  if (!picture) throw notFound();
  if ((await listEmbedsWith(app, picture)).length > 0)
    throw new AppError(
      'invalid_input',
      'This picture came with an embedded film, map or post. Change the text to show another.',
    );
  const successor = await storeMedia(app, { ...upload, alt: upload.alt || picture.alt });
  if (successor.id === id) return successor;
  const settings = await readSettings(app);
  // Rendered before the transaction, so that it stays short. Posts that are saved meanwhile are rendered inside it.
  const rendered = new Map<string, RenderedBody>();
  for (const { language, ...post } of await listTexts(app.db, picture)) {
    const body = withPaths(post.body, picture, successor);
    rendered.set(`${language} ${body}`, await renderBody(app, body, language));
  }
  await changePublicContent(app, async (change) => {
    const { tx, now } = change;
    await lockTables(tx, app.env.database.dialect, TABLES_THAT_NAME_MEDIA);
    const old = await requireMedia(tx, id);
    const uses = await listMediaUses({ db: tx }, old);
    const replace = (text: string) => withPaths(text, old, successor).replaceAll(old.id, successor.id);
    for (const { id: postId } of uses.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const current = await readPost(tx, { postId });
      const before = await readPostFields(tx, current);
      const requested = {
        ...before,
        body: withPaths(before.body, old, successor),
        coverMediaId: before.coverMediaId === old.id ? successor.id : before.coverMediaId,
      };
      const { body, language } = requested;
      await writePost(app, change, {
        current,
        before,
        requested,
        rendered: body === before.body ? undefined : rendered.get(`${language} ${body}`),
        intent: 'save',
        kind: 'save',
        editorId: by.userId,
        settings,
        times: { publishedAt: before.publishedAt, archiveAt: before.archiveAt },
        reason: 'Picture replaced',
      });
      await replaceInWaiting(change, postId, replace);
    }
    await replaceInReleases(tx, old, replace);
    if (await replaceOutsidePosts(tx, old, successor, now)) change.affectsEveryPage();
    await forget(tx, old, now);
    const details = `with ${successor.originalName}, in ${uses.length} posts`;
    await writeAudit(tx, app.clock, { action: 'media.replaced', by, subject: old.originalName, details });
  });
  return successor;
}

async function listTexts(db: Database, media: Media) {
  const uses = await listMediaUses({ db }, media);
  return db.post.findMany({
    where: { id: { in: uses.map(({ id }) => id) } },
    select: { body: true, language: true },
  });
}

/** Replaces the picture in scheduled updates and unsaved changes, which may become the post. */
async function replaceInWaiting(
  { tx }: PublicChange,
  postId: string,
  replace: (stored: string) => string,
): Promise<void> {
  const update = await tx.scheduledUpdate.findUnique({ where: { postId } });
  if (update)
    await tx.scheduledUpdate.update({ where: { postId }, data: { fields: replace(update.fields) } });
  for (const { id, fields } of await tx.revision.findMany({ where: { postId, kind: 'autosave' } }))
    await tx.revision.update({ where: { id }, data: { fields: replace(fields) } });
}

// A text may name the picture or one of its smaller copies. All of them become the new picture itself.
function withPaths(text: string, old: Media, successor: Media): string {
  return pathsOf(old).reduce(
    (result, path) => result.replaceAll(`/uploads/${path}`, `/uploads/${successor.path}`),
    text,
  );
}

async function forget(tx: Transaction, media: Media, now: Date): Promise<void> {
  await tx.media.delete({ where: { id: media.id } });
  await removeLater(tx, pathsOf(media), now);
}

/** A file that is not in the trash. @throws AppError `not_found`. */
export async function requireMedia(tx: Transaction, id: string): Promise<Media> {
  const media = await tx.media.findUnique({ where: { id, trashedAt: null } });
  if (!media) throw notFound();
  return media;
}

function notFound(): AppError {
  return new AppError('not_found', 'This file no longer exists.');
}
