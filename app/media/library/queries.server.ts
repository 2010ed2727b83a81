import type { MediaVariant } from '#app/media/encode/image-formats.ts';
import type { Database, Prisma } from '#app/platform/database/client.server.ts';
import type { Db } from '#app/platform/services.ts';
import { anySpelling } from '#app/platform/text/schemas.ts';
import type { Media } from './store-media.server.ts';

/** A post that names a file, in its text, as its cover or in a scheduled update. */
export interface MediaUse {
  id: string;
  title: string;
  status: string;
  authorId: string | null;
}

/** One page of the library, newest first; `after`: the id that the page before ended with; `type`: such as `image`. */
export async function listMedia(
  app: Db,
  filter: { text: string; after?: string; type?: string },
  pageSize: number,
): Promise<{ media: Media[]; next: string | null }> {
  const where: Prisma.MediaWhereInput = {
    trashedAt: null,
    ...(filter.type && { mimeType: { startsWith: `${filter.type}/` } }),
    ...(filter.text !== '' && {
      OR: anySpelling(filter.text).flatMap((contains) => [
        { originalName: { contains } },
        { alt: { contains } },
      ]),
    }),
    ...(filter.after && { id: { lt: filter.after } }),
  };
  // Ids rise with time, so a page is found by its key.
  const rows = await app.db.media.findMany({ where, orderBy: { id: 'desc' }, take: pageSize + 1 });
  const media = rows.slice(0, pageSize);
  return { media, next: rows.length > pageSize ? media.at(-1)!.id : null };
}

/** Every post that uses the file, also in the preview of an embedded film. Revisions do not count. */
export async function listMediaUses(
  { db }: { db: Pick<Database, '$queryRaw'> },
  media: Pick<Media, 'id' | 'path'>,
): Promise<MediaUse[]> {
  // Posts in the trash do not count: restoring a post restores its files too.
  return db.$queryRaw<MediaUse[]>`
    SELECT id, title, status, author_id AS "authorId" FROM posts
    WHERE status <> 'trashed' AND id IN (
      SELECT id FROM posts WHERE cover_media_id = ${media.id}
      UNION
      SELECT owner FROM file_mentions WHERE file IN (${mentionedAs(media)}, ${media.id}) AND kind <> 'embed'
    )
    ORDER BY id DESC`;
}

/**
 * The newest of many uses, like `listMediaUses`. Reads at most three times as many rows as it returns.
 * @returns also whether there may be more
 */
export async function listSomeMediaUses(
  { db }: { db: Pick<Database, 'fileMention' | 'post'> },
  media: Pick<Media, 'id' | 'path'>,
  take: number,
): Promise<{ uses: MediaUse[]; isCut: boolean }> {
  const file = mentionedAs(media);
  const mentions = (kind: string, files: string[]) =>
    db.fileMention.findMany({
      where: { file: { in: files }, kind },
      select: { owner: true },
      orderBy: { owner: 'desc' },
      take: take + 1,
    });
  const [texts, updates, covers] = await Promise.all([
    mentions('post', [file]),
    mentions('update', [file, media.id]),
    db.post.findMany({ where: { coverMediaId: media.id }, select: { id: true }, take: take + 1 }),
  ]);
  const ids = new Set([...texts, ...updates].map(({ owner }) => owner).concat(covers.map(({ id }) => id)));
  const uses = await db.post.findMany({
    where: { id: { in: [...ids].sort().reverse().slice(0, take) }, status: { not: 'trashed' } },
    select: { id: true, title: true, status: true, authorId: true },
    orderBy: { id: 'desc' },
  });
  return { uses, isCut: ids.size > take };
}

/** The addresses of embedded films, maps and posts whose facades show a picture. */
export async function listEmbedsWith(
  { db }: { db: Pick<Database, 'fileMention'> },
  media: Pick<Media, 'path'>,
): Promise<string[]> {
  const where = { file: mentionedAs(media), kind: 'embed' };
  const rows = await db.fileMention.findMany({ where, select: { owner: true } });
  return rows.map(({ owner }) => owner);
}

/** The name in `file_mentions`, which the smaller copies of a picture share (decision 030). */
export function mentionedAs({ path }: Pick<Media, 'path'>): string {
  return path.replace(/[.-].*$/, '');
}

/** The stored files of a row, below the uploads folder: the image and its smaller copies. */
export function pathsOf(media: Pick<Media, 'path' | 'variants'>): string[] {
  const copies = JSON.parse(media.variants) as MediaVariant[];
  return [...new Set([media.path, ...copies.map(({ path }) => path)])];
}

/** The names of all stored files in the trash. */
export async function readTrashedFiles({ db }: Db): Promise<ReadonlySet<string>> {
  const rows = await db.media.findMany({
    where: { trashedAt: { not: null } },
    select: { path: true, variants: true },
  });
  return new Set(rows.flatMap(pathsOf));
}

/** True when one of a stored file's names is in the trash: it is not served. */
export async function isTrashedFile({ db }: Db, path: string): Promise<boolean> {
  const named = { OR: [{ path }, { variants: { contains: JSON.stringify(path) } }] };
  const where = { trashedAt: { not: null }, ...named };
  return (await db.media.findFirst({ where, select: { id: true } })) !== null;
}
