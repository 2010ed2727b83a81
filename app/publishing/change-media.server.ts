import { writeAudit, type By } from '#app/auth/audit.server.ts';
import { listMediaUses, pathsOf, type MediaUse } from '#app/media/queries.server.ts';
import { storeMedia, type Media, type MediaUpload } from '#app/media/store-media.server.ts';
import { removeLater } from '#app/media/sweep.server.ts';
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { RenderedMarkdown } from '#app/posts/markdown.server.ts';
import type { SettingKey } from '#app/settings/catalogue.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';
import { renderBody } from './render-body.server.ts';

const LOGO: SettingKey = 'site_logo';

/** Changes what a picture says to those who do not see it. @throws AppError `not_found`. */
export async function describeMedia(app: PublishingContext, id: string, alt: string): Promise<void> {
  await changePublicContent(app, async ({ tx, now }) => {
    await requireMedia(tx, id);
    await tx.media.update({ where: { id }, data: { alt, updatedAt: now } });
  });
}

/**
 * Deletes a file that neither a post nor the site's header uses; it leaves the disk an hour later.
 * @throws AppError `not_found`; `conflict` while posts use it.
 */
export async function deleteMedia(app: PublishingContext, by: By, id: string): Promise<void> {
  await changePublicContent(app, async ({ tx, now }) => {
    const media = await requireMedia(tx, id);
    const uses = await listMediaUses({ db: tx }, media);
    if (uses.length > 0) throw inUse(uses);
    if (await isLogo(tx, media))
      throw new AppError('conflict', 'This is the site’s logo. Choose another in the settings first.');
    await forget(tx, media, now);
    await writeAudit(tx, app.clock, { action: 'media.deleted', by, subject: media.originalName });
  });
}

/**
 * Puts another picture in a file's place, under a new name: every post that shows the old one shows the
 * new one. The old file leaves the disk an hour later.
 * @returns the row that has taken over.
 * @throws AppError `not_found`; `invalid_input` with the reason why the file is refused; `conflict` when
 *   somebody saved one of the posts meanwhile.
 */
export async function replaceMedia(
  app: PublishingContext & Pick<App, 'env'>,
  by: By,
  id: string,
  upload: MediaUpload,
): Promise<Media> {
  const old = await app.db.media.findUnique({ where: { id } });
  if (!old) throw gone();
  const successor = await storeMedia(app, { ...upload, alt: upload.alt || old.alt });
  if (successor.id === id) return successor;
  const uses = await listMediaUses(app, old);
  // Rendered before the transaction, which stays short; it compares the versions.
  const rewritten = await Promise.all(uses.map(({ id: postId }) => rewrite(app, postId, old, successor)));
  await changePublicContent(app, async ({ tx, now, affects }) => {
    for (const post of rewritten.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      await replaceInPost(tx, post, { old, successor, now });
      affects(post.id);
    }
    if (await isLogo(tx, old))
      await tx.setting.update({
        where: { key: LOGO },
        data: { value: `/uploads/${successor.path}`, updatedAt: now },
      });
    await forget(tx, await requireMedia(tx, id), now);
    const details = `with ${successor.originalName}, in ${uses.length} posts`;
    await writeAudit(tx, app.clock, { action: 'media.replaced', by, subject: old.originalName, details });
  });
  return successor;
}

interface RewrittenPost {
  id: string;
  version: number;
  body: string;
  rendered: RenderedMarkdown | null;
}

async function rewrite(
  app: PublishingContext,
  postId: string,
  old: Media,
  successor: Media,
): Promise<RewrittenPost> {
  const post = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
  const body = withPaths(post.body, old, successor);
  return {
    id: postId,
    version: post.version,
    body,
    rendered: body === post.body ? null : await renderBody(app, body),
  };
}

async function replaceInPost(
  tx: Transaction,
  { id, version, body, rendered }: RewrittenPost,
  { old, successor, now }: { old: Media; successor: Media; now: Date },
): Promise<void> {
  const [post] = await tx.post.updateManyAndReturn({
    where: { id, version },
    data: {
      version: { increment: 1 },
      contentUpdatedAt: now,
      updatedAt: now,
      ...(rendered && {
        body,
        bodyHtml: rendered.html,
        tableOfContents: JSON.stringify(rendered.tableOfContents),
        wordCount: rendered.wordCount,
      }),
    },
  });
  if (!post) throw new AppError('conflict', 'Somebody saved a post that uses this file. Please try again.');
  if (post.coverMediaId === old.id)
    await tx.post.update({ where: { id }, data: { coverMediaId: successor.id } });
  const prepared = await tx.scheduledUpdate.findUnique({ where: { postId: id } });
  if (!prepared) return;
  const fields = withPaths(prepared.fields, old, successor).replaceAll(old.id, successor.id);
  await tx.scheduledUpdate.update({ where: { postId: id }, data: { fields } });
}

// A text names the image or one of its smaller copies; all of them become the new image itself.
function withPaths(text: string, old: Media, successor: Media): string {
  return pathsOf(old).reduce(
    (result, path) => result.replaceAll(`/uploads/${path}`, `/uploads/${successor.path}`),
    text,
  );
}

async function isLogo(tx: Transaction, media: Media): Promise<boolean> {
  const logo = await tx.setting.findUnique({ where: { key: LOGO } });
  return pathsOf(media).some((path) => logo?.value === `/uploads/${path}`);
}

async function forget(tx: Transaction, media: Media, now: Date): Promise<void> {
  await tx.media.delete({ where: { id: media.id } });
  await removeLater(tx, pathsOf(media), now);
}

async function requireMedia(tx: Transaction, id: string): Promise<Media> {
  const media = await tx.media.findUnique({ where: { id } });
  if (!media) throw gone();
  return media;
}

function gone(): AppError {
  return new AppError('not_found', 'This file no longer exists.');
}

function inUse(uses: MediaUse[]): AppError {
  const titles = uses.slice(0, 5).map(({ title }) => `“${title}”`);
  const more = uses.length > titles.length ? ` and ${uses.length - titles.length} more` : '';
  return new AppError('conflict', `Posts use this file: ${titles.join(', ')}${more}. Change them first.`);
}
