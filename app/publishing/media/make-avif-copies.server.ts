import { imageFormats, type MediaVariant } from '#app/media/encode/formats.ts';
import { copyWidths } from '#app/media/encode/limits.ts';
import { mentionedAs } from '#app/media/library/queries.server.ts';
import type { Media } from '#app/media/library/store-media.server.ts';
import { keepReserved, removeLater, reservePaths } from '#app/media/library/sweep.server.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import { contentOfBytes, readStored } from '#app/media/store/content.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import type { Configured, Pictures, Timed } from '#app/platform/services.ts';
import { offerAvif, publicImage } from '#app/posts/pictures/public-image.ts';
import {
  changePublicContent,
  lockPosts,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { isPictureOfTerm } from './change.server.ts';

export interface AvifCopies {
  /** Number of pictures that got their copies. */
  pictures: number;
  /** Size of the new files. */
  bytes: number;
  /** Pictures whose file is missing or damaged; the log names them. */
  failed: number;
  /** Pictures that are left for a later run. */
  waiting: number;
}

interface Options {
  /** Seconds after which no further picture is begun. */
  seconds: number;
  /** Aborted: no further picture is begun. */
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
}

interface PictureCopies {
  media: Media;
  copies: MediaVariant[];
}

/** Pictures per transaction. Each transaction makes the pages stale that show them. */
const BATCH_SIZE = 20;

const { jpeg, avif } = imageFormats;
/** AVIF copies of other formats are no smaller than the existing copies (decision 026). */
const withoutAvif = {
  trashedAt: null,
  mimeType: jpeg.mimeType,
  width: { gt: copyWidths[0] },
  NOT: { variants: { contains: avif.mimeType } },
};

/**
 * Makes AVIF copies of JPEG pictures that have none, newest first, and offers them on the pages that show the pictures.
 * A run that is stopped leaves complete copies, and files that a trigger removes.
 * @throws AppError `unavailable` when an import is running, or the store does not answer
 */
export async function makeAvifCopies(
  app: PublishingContext,
  { seconds, signal, onProgress = () => {} }: Options,
): Promise<AvifCopies> {
  const until = performance.now() + seconds * 1_000;
  const isOver = () => signal?.aborted === true || performance.now() >= until;
  const result: AvifCopies = { pictures: 0, bytes: 0, failed: 0, waiting: 0 };
  const total = await app.db.media.count({ where: withoutAvif });
  let after: string | undefined;
  while (!isOver()) {
    const where = { ...withoutAvif, ...(after !== undefined && { id: { lt: after } }) };
    const batch = await app.db.media.findMany({ where, orderBy: { id: 'desc' }, take: BATCH_SIZE });
    if (batch.length === 0) break;
    after = batch.at(-1)!.id;
    await withUploadsLock(app, 'shared', async () => {
      const converted: PictureCopies[] = [];
      for (const media of batch) {
        if (isOver()) break;
        const copies = await storeCopies(app, media).catch((error: unknown) => {
          if (isAppError(error) && error.code === 'unavailable') throw error;
          app.log.warn({ file: media.path, reason: messageOf(error) }, 'A picture got no AVIF copies');
          return null;
        });
        if (copies) converted.push({ media, copies });
        else result.failed += 1;
        onProgress({ done: result.pictures + converted.length, total });
      }
      if (converted.length === 0) return;
      const offered = await changePublicContent(app, (change) => offerCopies(app, change, converted));
      result.pictures += offered.length;
      result.bytes += offered.flatMap(({ copies }) => copies).reduce((sum, { bytes }) => sum + bytes, 0);
    });
  }
  result.waiting = (await app.db.media.count({ where: withoutAvif })) - result.failed;
  return result;
}

async function storeCopies(app: Timed & Stored & Pictures, media: Media): Promise<MediaVariant[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of readStored(app.mediaStore, media.path)) chunks.push(chunk);
  const encoded = await app.pictureQueue.run(async () => {
    const { encodeAvifCopies } = await import('#app/media/encode/avif.server.ts');
    return encodeAvifCopies(Buffer.concat(chunks), { path: media.path, width: media.width! });
  });
  await reservePaths(
    app,
    encoded.map(({ path }) => path),
  );
  for (const { path, content } of encoded) await app.mediaStore.put(path, contentOfBytes(content));
  return encoded.map(({ content: _, ...copy }) => copy);
}

/** Records stored copies and offers them in the texts. @returns the pictures that have not changed meanwhile */
async function offerCopies(
  app: Configured,
  { tx, now, ...change }: PublicChange,
  converted: readonly PictureCopies[],
): Promise<PictureCopies[]> {
  const texts = new Map<PictureCopies, string[]>();
  for (const picture of converted) texts.set(picture, await listTexts(tx, picture.media));
  await lockPosts(app, tx, [...new Set([...texts.values()].flat())].sort());
  const offered: PictureCopies[] = [];
  const changed: string[] = [];
  for (const picture of converted) {
    const { media, copies } = picture;
    const paths = copies.map(({ path }) => path);
    // Another run was faster and has made these copies.
    if (!(await keepReserved(tx, paths))) continue;
    const variants = JSON.stringify([...(JSON.parse(media.variants) as MediaVariant[]), ...copies]);
    const where = { id: media.id, variants: media.variants, trashedAt: null };
    const { count } = await tx.media.updateMany({ where, data: { variants } });
    if (count === 0) {
      await removeLater(tx, paths, now);
      continue;
    }
    offered.push(picture);
    changed.push(...(await offerInTexts(tx, { ...media, variants }, texts.get(picture)!)));
    const covers = await tx.post.findMany({ where: { coverMediaId: media.id }, select: { id: true } });
    changed.push(...covers.map(({ id }) => id));
    if (await isPictureOfTerm(tx, media)) change.affectsEveryPage();
  }
  change.affectsPictures(...changed);
  return offered;
}

/** The posts whose text shows a picture. */
async function listTexts(tx: Transaction, media: Media): Promise<string[]> {
  const where = { file: mentionedAs(media), kind: 'post' };
  const rows = await tx.fileMention.findMany({ where, select: { owner: true } });
  return rows.map(({ owner }) => owner);
}

/**
 * Changes only the HTML: the Markdown, the version and the time of the change stay, since nobody has edited the post.
 */
async function offerInTexts(tx: Transaction, media: Media, postIds: string[]): Promise<string[]> {
  const image = publicImage(media);
  const changed: string[] = [];
  for (const id of postIds) {
    const post = await tx.post.findUnique({ where: { id }, select: { bodyHtml: true } });
    if (!post) continue;
    const bodyHtml = offerAvif(post.bodyHtml, [image]);
    if (bodyHtml === post.bodyHtml) continue;
    await tx.post.update({ where: { id }, data: { bodyHtml } });
    changed.push(id);
  }
  return changed;
}
