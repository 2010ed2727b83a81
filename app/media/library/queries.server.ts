import { type MediaVariant, mimeTypesOf, type MediaKind } from '#app/media/encode/formats.ts';
import { joinSql, sql, type Database, type Prisma } from '#app/platform/database/client.server.ts';
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

/** Which files a list of the library shows. */
export interface MediaFilter {
  /** In names and descriptions; empty: any. */
  text: string;
  kind?: MediaKind;
  /** Uploaded from this instant to before that one. */
  between?: { from: Date; to: Date };
  /** Whether a post uses the file. */
  isUsed?: boolean;
}

/** Files of which a list by use asks in one query, and the most that it looks at for one page. */
const PORTION = 200;
const READ_MAX = 1_000;

/**
 * One page of the library, newest first. A list by use may end early: then `next` leads on.
 * @param after the id that the page before ended with
 */
export async function listMedia(
  app: Db & { db: Pick<Database, '$queryRaw'> },
  { isUsed, ...filter }: MediaFilter,
  { after, pageSize }: { after?: string; pageSize: number },
): Promise<{ media: Media[]; next: string | null }> {
  if (isUsed === undefined) {
    const rows = await readMedia(app, filter, after, pageSize + 1);
    const media = rows.slice(0, pageSize);
    return { media, next: rows.length > pageSize ? media.at(-1)!.id : null };
  }
  const media: Media[] = [];
  let last = after;
  for (let read = 0; read < READ_MAX; read += PORTION) {
    const rows = await readMedia(app, filter, last, PORTION);
    const used = await usedAmong(app, rows);
    for (const row of rows) {
      if (used.has(row.id) === isUsed) media.push(row);
      last = row.id;
      if (media.length === pageSize) return { media, next: last };
    }
    if (rows.length < PORTION) return { media, next: null };
  }
  return { media, next: last ?? null };
}

/** The newest files. Ids rise with time, so that a page and a time are ranges of ids, in the index of each type. */
async function readMedia(
  app: Db,
  { text, kind, between }: Omit<MediaFilter, 'isUsed'>,
  after: string | undefined,
  take: number,
): Promise<Media[]> {
  const before = [after, between && firstIdAt(between.to)].filter((id) => id !== undefined).sort()[0];
  const where: Prisma.MediaWhereInput = {
    trashedAt: null,
    ...(text !== '' && {
      OR: anySpelling(text).flatMap((contains) => [{ originalName: { contains } }, { alt: { contains } }]),
    }),
    id: { lt: before, gte: between && firstIdAt(between.from) },
  };
  const read = (mimeType?: string) =>
    app.db.media.findMany({ where: { ...where, mimeType }, orderBy: { id: 'desc' }, take });
  if (!kind) return read();
  const rows = (await Promise.all(mimeTypesOf(kind).map(read))).flat();
  return rows.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, take);
}

/** The lowest id that `newId` can have made at an instant. */
function firstIdAt(instant: Date): string {
  const hex = Math.max(0, instant.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The ids of those of the files that a post uses; posts in the trash do not count. */
async function usedAmong(
  { db }: { db: Pick<Database, '$queryRaw'> },
  media: Media[],
): Promise<ReadonlySet<string>> {
  if (media.length === 0) return new Set();
  const files = joinSql(media.map((row) => sql`(${row.id}, ${mentionedAs(row)})`));
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH files(id, name) AS (VALUES ${files})
    SELECT id FROM files WHERE
      EXISTS (SELECT 1 FROM posts WHERE cover_media_id = files.id AND status <> 'trashed')
      OR EXISTS (
        SELECT 1 FROM file_mentions JOIN posts ON posts.id = file_mentions.owner
        WHERE file IN (files.name, files.id) AND kind <> 'embed' AND status <> 'trashed'
      )`;
  return new Set(rows.map(({ id }) => id));
}

/** The instant of the oldest file; null for an empty library. */
export async function oldestMediaAt({ db }: Db): Promise<Date | null> {
  const row = await db.media.findFirst({ select: { createdAt: true }, orderBy: { id: 'asc' } });
  return row?.createdAt ?? null;
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
