import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Dialect } from '#app/platform/env.server.ts';
import { SITEMAP_KEY } from '#app/platform/http/page-keys.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import type { Configured, Reading } from '#app/platform/services.ts';
import { isListed } from '#app/posts/lists/scope.ts';
import { postPath } from '#app/posts/paths.ts';
import { uploadPath, pictureColumns, publicImage } from '#app/posts/pictures/public-image.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { SITEMAP_END, SITEMAP_HEAD, SITEMAP_URL_LIMIT, sitemapLines, renderSitemap } from './sitemap.ts';

type Reader = Reading & Configured;

/** The sitemap of the whole site. */
const MAIN = '';
/** Entries that one statement reads, in some milliseconds. */
const ENTRIES_AT_ONCE = 1_000;
/** Half the time of the usual level of gzip, and no more bytes for a sitemap (measured). */
const LEVEL = 3;

/** Consecutive entries, counted by database triggers (decision 020). */
interface Portion {
  firstPostId: string;
  entries: number;
  /** Where the next portion begins; null for the last one. */
  end: string | null;
}

/** One file of the sitemap. */
export interface SitemapPart {
  portions: Portion[];
}

/** The files of the sitemap: one, or several if the addresses do not fit into one. */
export async function readSitemapParts(app: Reading, limit = SITEMAP_URL_LIMIT): Promise<SitemapPart[]> {
  app.recordKeys?.(SITEMAP_KEY);
  const rows = await app.db.sitemapPortion.findMany({
    where: { sitemap: MAIN },
    select: { firstPostId: true, entries: true },
    orderBy: { firstPostId: 'asc' },
  });
  const parts: SitemapPart[] = [{ portions: [] }];
  let entries = 0;
  for (const [index, row] of rows.entries()) {
    if (entries > 0 && entries + row.entries > limit) {
      parts.push({ portions: [] });
      entries = 0;
    }
    parts.at(-1)!.portions.push({ ...row, end: rows[index + 1]?.firstPostId ?? null });
    entries += row.entries;
  }
  return parts;
}

/** The file `/sitemaps/N.xml`; null while everything fits into `/sitemap.xml`. @param file `N.xml` */
export async function findSitemapPart(app: Reading, file: string): Promise<SitemapPart | null> {
  const number = Number(/^([1-9]\d{0,5})\.xml$/.exec(file)?.[1]);
  const parts = await readSitemapParts(app);
  return parts.length === 1 ? null : (parts[number - 1] ?? null);
}

/**
 * One file, compressed with gzip. Consists of a few thousand rows at a time, so that neither its whole text nor all rows
 * are in memory.
 * @param finish the last step of each line
 */
export async function renderSitemapPart(
  app: Reader,
  part: SitemapPart,
  finish: (lines: string) => string = (lines) => lines,
): Promise<Buffer<ArrayBuffer>> {
  const gzip = createGzip({ level: LEVEL });
  const [file] = await Promise.all([buffer(gzip), pipeline(textOf(app, part, finish), gzip)]);
  return file;
}

async function* textOf(
  app: Reader,
  { portions }: SitemapPart,
  finish: (lines: string) => string,
): AsyncGenerator<string> {
  yield SITEMAP_HEAD;
  // The page that is the home: its own address redirects to `/`.
  const { home_page: home } = await readShared(app, 'settings', readSettings);
  const end = portions.at(-1)?.end ?? null;
  let after: Place | null = portions.length > 0 ? [portions[0]!.firstPostId, ''] : null;
  while (after) {
    const rows: EntryRow[] = await readEntries(app, after, end);
    const lines = rows.map(([postId, path, lastModified, image]) => ({
      // The path of a post that was the home, and is no page any more, stays.
      path: postId === home && !path.startsWith('/posts/') ? '/' : path,
      lastModified,
      image: image === '' ? undefined : uploadPath(image),
    }));
    yield finish(sitemapLines(app.env.siteUrl, lines));
    after = rows.length < ENTRIES_AT_ONCE ? null : [rows.at(-1)![0], rows.at(-1)![1]];
  }
  yield SITEMAP_END;
}

type Place = [postId: string, path: string];
/** `''` without an image. */
type EntryRow = [postId: string, path: string, lastModified: string, image: string];

// Reads all rows as one text: Prisma would spend four times as long on the rows, and SQLite twice as long on JSON.
async function readEntries(
  { db, env }: Reader,
  [postId, path]: Place,
  end: string | null,
): Promise<EntryRow[]> {
  const { dialect } = env.database;
  const [row] = await db.$queryRawUnsafe<{ entries: string | null }[]>(
    end === null
      ? entriesSql[dialect]('')
      : entriesSql[dialect](`AND post_id < ${dialect === 'sqlite' ? '?' : '$4'}`),
    MAIN,
    postId,
    path,
    ...(end === null ? [] : [end]),
  );
  return (row!.entries?.split(END_OF_ROW) ?? []).map((entry) => entry.split(END_OF_COLUMN) as EntryRow);
}

// ASCII's separators of records and units; no address holds them.
const END_OF_ROW = '\x1e';
const END_OF_COLUMN = '\x1f';

// The rows change with the posts in one transaction. The condition is a second guard against unpublished addresses. The
// index is named, since SQLite would otherwise read the posts' rows with their texts.
const rowsSql = (posts: string, [sitemap, postId, path]: [string, string, string], beforeEnd: string) => `
  SELECT post_id, path, last_modified, image FROM sitemap_entries CROSS JOIN ${posts}
  WHERE sitemap = ${sitemap} AND (post_id, path) > (${postId}, ${path}) ${beforeEnd}
    AND posts.id = post_id AND posts.status = 'published'
  ORDER BY post_id, path LIMIT ${ENTRIES_AT_ONCE}`;

// Redundant, for the planner: PostgreSQL would otherwise merge the entries with all posts, from the first one on.
const boundsOfPosts = (beforeEnd: string) => `AND posts.id >= $2 ${beforeEnd.replace('post_id', 'posts.id')}`;

const entriesSql: Record<Dialect, (beforeEnd: string) => string> = {
  sqlite: (beforeEnd) => `
    SELECT group_concat(post_id || char(31) || path || char(31) || substr(last_modified, 1, 23) || 'Z' || char(31)
      || ifnull(image, ''), char(30)) AS entries
    FROM (${rowsSql('posts INDEXED BY posts_id_status_idx', ['?', '?', '?'], beforeEnd)}) AS portion`,
  postgresql: (beforeEnd) => `
    SELECT string_agg(concat_ws(chr(31), post_id, path, to_char(last_modified, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      coalesce(image, '')), chr(30) ORDER BY post_id, path) AS entries
    FROM (${rowsSql('posts', ['$1', '$2', '$3'], `${beforeEnd} ${boundsOfPosts(beforeEnd)}`)}) AS portion`,
};

/** The sitemap of the posts in another language, newest first. */
export async function renderLanguageSitemap(app: Reading & Configured, listedIn: string): Promise<string> {
  app.recordKeys?.(SITEMAP_KEY);
  const rows = await app.db.post.findMany({
    where: isListed(listedIn),
    select: { slug: true, contentUpdatedAt: true, coverMedia: { select: pictureColumns } },
    orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
    take: SITEMAP_URL_LIMIT,
  });
  const urls = rows.map(({ slug, contentUpdatedAt, coverMedia }) => ({
    path: postPath(slug),
    lastModified: contentUpdatedAt.toISOString(),
    image: coverMedia ? publicImage(coverMedia).src : undefined,
  }));
  return renderSitemap(app.env.siteUrl, urls);
}
