import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { App } from '#app/app.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { SITEMAP_KEY } from '#app/platform/page-keys.ts';
import { readShared } from '#app/platform/shared-reads.ts';
import { uploadPath } from '#app/posts/public-image.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { joinSitemap, SITEMAP_URL_LIMIT, sitemapLines } from './sitemap.ts';

type Reader = Pick<App, 'db' | 'env' | 'recordKeys' | 'sharedReads'>;

/** The sitemap of the whole site. */
const MAIN = '';
/** Entries for one statement and one turn of the event loop: some milliseconds. */
const ENTRIES_AT_ONCE = 1_000;
/** Characters of text that a process keeps: two parts of the largest size. */
const KEPT_CHARACTERS = 16_000_000;

/** Consecutive entries, counted by database triggers (decision 020). */
interface Portion {
  firstPostId: string;
  entries: number;
  /** Another one after every change. */
  stamp: number;
  /** Where the next portion begins; null for the last one. */
  end: string | null;
}

/** One file of the sitemap. */
export interface SitemapPart {
  portions: Portion[];
}

/** The files of the sitemap, one at least: more where the addresses do not fit into one. */
export async function readSitemapParts(
  app: Pick<App, 'db' | 'recordKeys'>,
  limit = SITEMAP_URL_LIMIT,
): Promise<SitemapPart[]> {
  app.recordKeys?.(SITEMAP_KEY);
  const rows = await app.db.sitemapPortion.findMany({
    where: { sitemap: MAIN },
    select: { firstPostId: true, entries: true, stamp: true },
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

/** The text of one file. Portions that have not changed since they were last asked for are not read again. */
export async function renderSitemapPart(app: Reader, { portions }: SitemapPart): Promise<string> {
  const texts = textsOf(app.db);
  const lines: string[] = [];
  const { home_page: home } = await readShared(app, 'settings', readSettings);
  for (const portion of portions) {
    const { stamp } = portion;
    const known = texts.get(portion.firstPostId);
    const isCurrent = known?.stamp === stamp && known.home === home;
    const text = isCurrent ? known.text : await renderPortion(app, portion, home);
    lines.push(text);
    if (isCurrent) continue;
    texts.set(portion.firstPostId, { stamp, home, text });
    await nextTurn();
  }
  return joinSitemap(lines);
}

interface PortionText {
  stamp: number;
  home: string;
  text: string;
}

const memories = new WeakMap<object, LRUCache<string, PortionText>>();

function textsOf(db: object): LRUCache<string, PortionText> {
  const known = memories.get(db);
  if (known) return known;
  const texts = new LRUCache<string, PortionText>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  memories.set(db, texts);
  return texts;
}

/** @param home id of the page that is the home: its own address redirects to `/` */
async function renderPortion(app: Reader, { firstPostId, end }: Portion, home: string): Promise<string> {
  const lines: string[] = [];
  for (let after: Place = [firstPostId, '']; ;) {
    const rows = await readEntries(app, after, end);
    lines.push(
      sitemapLines(
        app.env.siteUrl,
        rows.map(([postId, path, lastModified, image]) => ({
          path: postId === home ? '/' : path,
          lastModified,
          image: image === null ? undefined : uploadPath(image),
        })),
      ),
    );
    if (rows.length < ENTRIES_AT_ONCE) return lines.filter(Boolean).join('\n');
    after = [rows.at(-1)![0], rows.at(-1)![1]];
    await nextTurn();
  }
}

type Place = [postId: string, path: string];
type EntryRow = [postId: string, path: string, lastModified: string, image: string | null];

// As one JSON text: Prisma would spend four times as long on the rows.
async function readEntries(
  { db, env }: Reader,
  [postId, path]: Place,
  end: string | null,
): Promise<EntryRow[]> {
  const { dialect } = env.database;
  const [row] = await db.$queryRawUnsafe<{ entries: string }[]>(
    end === null
      ? entriesSql[dialect]('')
      : entriesSql[dialect](`AND post_id < ${dialect === 'sqlite' ? '?' : '$4'}`),
    MAIN,
    postId,
    path,
    ...(end === null ? [] : [end]),
  );
  return JSON.parse(row!.entries) as EntryRow[];
}

// The rows change with the posts in one transaction; the condition guards against an unpublished address all the
// same. The index is named, since SQLite would otherwise read the posts' rows with their texts.
const rowsSql = (posts: string, [sitemap, postId, path]: [string, string, string], beforeEnd: string) => `
  SELECT post_id, path, last_modified, image FROM sitemap_entries CROSS JOIN ${posts}
  WHERE sitemap = ${sitemap} AND (post_id, path) > (${postId}, ${path}) ${beforeEnd}
    AND posts.id = post_id AND posts.status = 'published'
  ORDER BY post_id, path LIMIT ${ENTRIES_AT_ONCE}`;

// Redundant, for the planner: PostgreSQL would otherwise merge the entries with all posts from the first one on.
const boundsOfPosts = (beforeEnd: string) => `AND posts.id >= $2 ${beforeEnd.replace('post_id', 'posts.id')}`;

const entriesSql: Record<Dialect, (beforeEnd: string) => string> = {
  sqlite: (beforeEnd) => `
    SELECT json_group_array(json_array(post_id, path, substr(last_modified, 1, 23) || 'Z', image)) AS entries
    FROM (${rowsSql('posts INDEXED BY posts_id_status_idx', ['?', '?', '?'], beforeEnd)}) AS portion`,
  postgresql: (beforeEnd) => `
    SELECT coalesce(json_agg(json_build_array(
      post_id, path, to_char(last_modified, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), image) ORDER BY post_id, path), '[]')::text AS entries
    FROM (${rowsSql('posts', ['$1', '$2', '$3'], `${beforeEnd} ${boundsOfPosts(beforeEnd)}`)}) AS portion`,
};
