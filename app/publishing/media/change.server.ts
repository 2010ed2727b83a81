import { listEmbedsWith, listMediaUses, pathsOf } from '#app/media/library/queries.server.ts';
import { storeMedia, type Media, type MediaUpload } from '#app/media/library/store-media.server.ts';
import { removeLater } from '#app/media/library/sweep.server.ts';
import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { lockTables } from '#app/platform/database/transaction.server.ts';
import { AppError, invalidInput } from '#app/platform/errors.ts';
import { say, type FilledText } from '#app/platform/message.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import {
  changePublicContent,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { renderBody, type RenderedBody } from '#app/publishing/post-row/body.server.ts';
import { readPost } from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import { isUnpublished } from '#app/releases/release.ts';
import type { SettingKey } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

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
    throw invalidInput(
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

const RELEASES_NAMED = 5;
const PICTURES: SettingKey[] = ['site_logo', 'site_icon'];

/**
 * Checks that only posts use a picture: not the site's header, nor a category, tag or author.
 * @throws AppError `invalid_input`, with the name of the other use
 */
export async function requireOnlyInPosts(tx: Transaction, media: Media): Promise<void> {
  if ((await tx.setting.count({ where: pictureOfSite(media) })) > 0)
    throw invalidInput('This is the site’s logo. Choose another in the settings first.');
  const where = pictureOf(media);
  const select = { name: true } as const;
  const category = await tx.category.findFirst({ where, select });
  if (category) throw inUse(say('the category “{name}”', { name: category.name }));
  const tag = await tx.tag.findFirst({ where, select });
  if (tag) throw inUse(say('the tag “{name}”', { name: tag.name }));
  const author = await tx.user.findFirst({ where, select: { displayName: true } });
  if (author) throw inUse(say('the author “{name}”', { name: author.displayName }));
}

/** Replaces a picture by another one everywhere except in posts. @returns whether readers see a difference */
async function replaceOutsidePosts(
  tx: Transaction,
  old: Media,
  successor: Media,
  now: Date,
): Promise<boolean> {
  const picture = `/uploads/${successor.path}`;
  const changed = await Promise.all([
    tx.setting.updateMany({ where: pictureOfSite(old), data: { value: picture, updatedAt: now } }),
    tx.category.updateMany({ where: pictureOf(old), data: { picture, updatedAt: now } }),
    tx.tag.updateMany({ where: pictureOf(old), data: { picture, updatedAt: now } }),
    tx.user.updateMany({ where: pictureOf(old), data: { picture, updatedAt: now } }),
  ]);
  return changed.some(({ count }) => count > 0);
}

/** Replaces a file in the changes of unpublished releases. A publication that has read them already is refused. */
async function replaceInReleases(
  tx: Transaction,
  media: Media,
  replace: (stored: string) => string,
): Promise<void> {
  const items = await tx.releaseItem.findMany({
    where: inReleases(media),
    select: { id: true, releaseId: true, fields: true },
  });
  const releaseIds = [...new Set(items.map(({ releaseId }) => releaseId))];
  await tx.release.updateMany({ where: { id: { in: releaseIds } }, data: { version: { increment: 1 } } });
  for (const { id, fields } of items)
    await tx.releaseItem.update({ where: { id }, data: { fields: replace(fields) } });
}

/** @throws AppError `invalid_input` if an unpublished release contains a change with this file */
export async function requireInNoRelease(tx: Transaction, media: Media): Promise<void> {
  const { release, OR } = inReleases(media);
  const releases = await tx.release.findMany({
    where: { ...release, items: { some: { OR } } },
    select: { name: true },
    orderBy: { id: 'desc' },
    take: RELEASES_NAMED,
  });
  if (releases.length === 0) return;
  const names = releases.map(({ name }) => `“${name}”`).join(', ');
  throw invalidInput(say('Changes in releases use this file: {names}. Change them first.', { names }));
}

/** Stored changes are JSON, which contains ids and paths as they are. */
function inReleases(media: Media) {
  const names = [media.id, ...addressesOf(media)];
  return { release: isUnpublished, OR: names.map((name) => ({ fields: { contains: name } })) };
}

/** Whether a category or tag has this picture. Its page shows the picture at the top. */
export async function isPictureOfTerm(tx: Transaction, media: Media): Promise<boolean> {
  const where = pictureOf(media);
  return (await tx.category.count({ where })) + (await tx.tag.count({ where })) > 0;
}

/** Whether a category, a tag, an account or the site has this picture. Their pages show its description. */
async function isPictureOutsidePosts(tx: Transaction, media: Media): Promise<boolean> {
  if (await isPictureOfTerm(tx, media)) return true;
  const others = await tx.user.count({ where: pictureOf(media) });
  return others + (await tx.setting.count({ where: pictureOfSite(media) })) > 0;
}

function pictureOfSite(media: Media) {
  return { key: { in: PICTURES }, value: { in: addressesOf(media) } };
}

function pictureOf(media: Media) {
  return { picture: { in: addressesOf(media) } };
}

function addressesOf(media: Media): string[] {
  return pathsOf(media).map((path) => `/uploads/${path}`);
}

function inUse(owner: FilledText): AppError {
  return invalidInput(say('This is the picture of {place}. Choose another there first.', { place: owner }));
}
