import { createHash } from 'node:crypto';
import { audioOf } from '#app/feeds/podcast.server.ts';
import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { insertJson, type JsonColumnType } from '#app/platform/database/insert-rows.server.ts';
import { CONTENT_CHANNEL, EVERY_PAGE, postKey, type PageKey } from '#app/platform/http/page-keys.ts';
import { inChunks, inSteps, TEXTS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import type { Configured } from '#app/platform/services.ts';
import { isPublic } from '#app/posts/lists/queries.server.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { excerptOf } from '#app/posts/markdown/excerpt.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { postPath } from '#app/posts/paths.ts';
import type { PostListing, AffectedPost, ListPosition } from './changed-keys.ts';

/** The columns from which a sitemap row is derived. */
export const sitemapSource = {
  ...{ id: true, slug: true, title: true, excerpt: true, publishedAt: true, wordCount: true },
  ...{ coverAlt: true, coverDecorative: true, coverFocus: true, coverMediaId: true, authorId: true },
  authors: { select: { userId: true, name: true }, orderBy: { position: 'asc' } },
  ...{ listedIn: true, language: true, translationOf: true, categoryId: true, contentUpdatedAt: true },
  tags: { select: { tagId: true }, orderBy: { tagId: 'asc' } },
} satisfies Prisma.PostSelect;

type SitemapPost = Prisma.PostGetPayload<{ select: typeof sitemapSource }>;

/**
 * What other pages show of a post.
 * @param html needed if the post has no excerpt: lists then show the beginning of the text
 * @param options.isEpisode absent if the text was not read
 */
function listingOf(
  post: SitemapPost,
  html: string | undefined,
  { isEpisode }: { isEpisode?: boolean } = {},
): PostListing {
  const { slug, title, excerpt, wordCount, coverMediaId, categoryId, tags, listedIn } = post;
  const cover = [post.coverAlt, post.coverDecorative, post.coverFocus, coverMediaId];
  const publishedAt = (post.publishedAt ?? new Date(0)).toISOString();
  const { authorId, authors } = post;
  const minutes = readingMinutes(wordCount);
  const listed = [slug, title, publishedAt, minutes, ...cover, authorId, categoryId, authors];
  const isKnown = excerpt !== '' || html !== undefined;
  const teaser = isKnown ? hashOf([...listed, excerpt || excerptOf(html ?? '')]) : '';
  return {
    path: postPath(slug),
    listedIn,
    language: post.language,
    translationOf: post.translationOf,
    publishedAt,
    authorIds: authorIdsOf(post),
    categoryId,
    tagIds: tags.map(({ tagId }) => tagId),
    teaser,
    isEpisode,
  };
}

/** The accounts of a post's authors: those that it names, else the one that created it. */
function authorIdsOf({ authorId, authors }: SitemapPost): string[] {
  const ids = authors.length > 0 ? authors.map(({ userId }) => userId) : [authorId];
  return [...new Set(ids.filter((id) => id !== null))].sort();
}

function hashOf(values: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16);
}

/**
 * Reads the column `shown`. Entries of older versions, without the column or without some of its fields, are unknown.
 */
function readListing(shown: string): PostListing | 'unknown' {
  const read = shown === '' ? null : (JSON.parse(shown) as PostListing);
  return read && 'translationOf' in read ? read : 'unknown';
}

/** At least this many versions keep their keys. A process that missed more empties its cache. */
const CHANGES_KEPT = 1_000;

const sitemapColumns = {
  ...{ path: { type: 'text' }, post_id: { type: 'text' }, last_modified: { type: 'time' } },
  ...{ shown: { type: 'text' }, image: { type: 'text' } },
} satisfies Record<string, { type: JsonColumnType }>;

const authorColumns = {
  ...{ post_id: { type: 'text' }, user_id: { type: 'text' }, listed_in: { type: 'text' } },
  published_at: { type: 'time' },
} satisfies Record<string, { type: JsonColumnType }>;

/**
 * Writes the sitemap rows of published posts that have none.
 * @param bodies the result of `readBodies`; absent if no text was read
 * @returns what other pages show of each post, by id
 */
export async function insertSitemapEntries(
  app: Configured,
  tx: Transaction,
  published: SitemapPost[],
  bodies?: Map<string, string>,
): Promise<Map<string, PostListing>> {
  const listings = new Map(
    published.map((post) => {
      const html = bodies?.get(post.id);
      const isEpisode = bodies && audioOf(html ?? '', app.env.siteUrl) !== null;
      return [post.id, listingOf(post, html, { isEpisode })];
    }),
  );
  if (published.length === 0) return listings;
  const covers = await coverPaths(tx, published);
  const rows = published.map(({ id, slug, contentUpdatedAt, coverMediaId }) => ({
    path: postPath(slug),
    post_id: id,
    last_modified: contentUpdatedAt.toISOString(),
    shown: JSON.stringify(listings.get(id)),
    image: (coverMediaId && covers.get(coverMediaId)) ?? null,
  }));
  await insertJson(tx, app.env.database.dialect, 'sitemap_entries', sitemapColumns, JSON.stringify(rows));
  return listings;
}

async function coverPaths(tx: Transaction, posts: SitemapPost[]): Promise<Map<string, string>> {
  const ids = [...new Set(posts.flatMap(({ coverMediaId }) => coverMediaId ?? []))];
  if (ids.length === 0) return new Map();
  const media = await tx.media.findMany({ where: { id: { in: ids } }, select: { id: true, path: true } });
  return new Map(media.map(({ id, path }) => [id, path]));
}

/** Lists public posts under their authors. Pages are in no list. */
export async function insertAuthorPosts(
  app: Configured,
  tx: Transaction,
  listings: Map<string, PostListing>,
): Promise<void> {
  const rows = [...listings].flatMap(([postId, { authorIds, listedIn, publishedAt }]) =>
    listedIn === PAGES_LIST
      ? []
      : authorIds.map((userId) => ({
          post_id: postId,
          user_id: userId,
          listed_in: listedIn,
          published_at: publishedAt,
        })),
  );
  if (rows.length === 0) return;
  await insertJson(tx, app.env.database.dialect, 'author_posts', authorColumns, JSON.stringify(rows));
}

/**
 * Derives the sitemap rows of these posts from the present posts, so that only published posts have rows.
 * @returns what readers saw of each post before, and what they see now
 */
export async function updateSitemap(
  app: Configured,
  tx: Transaction,
  postIds: string[],
): Promise<AffectedPost[]> {
  const chunks = inChunks(postIds, TEXTS_A_STEP);
  const before = new Map<string, PostListing | 'unknown'>();
  // Deletes all old rows first: one post may get the address that another one leaves.
  for (const chunk of chunks) {
    const where = { postId: { in: chunk } };
    const rows = await tx.sitemapEntry.findMany({ where, select: { postId: true, shown: true } });
    for (const { postId, shown } of rows) before.set(postId, readListing(shown));
    if (rows.length > 0) await tx.sitemapEntry.deleteMany({ where });
  }
  const posts: AffectedPost[] = [];
  for (const chunk of chunks) {
    const published = await tx.post.findMany({
      where: { id: { in: chunk }, ...isPublic },
      select: sitemapSource,
      orderBy: { id: 'asc' },
    });
    const bodies = await readBodies(tx, published);
    const after = await insertSitemapEntries(app, tx, published, bodies);
    const deleted = await deletedOf(
      tx,
      chunk.filter((id) => !before.has(id) && !after.has(id)),
    );
    const affected = chunk.map((id) => ({
      id,
      before: deleted.has(id) ? ('unknown' as const) : (before.get(id) ?? null),
      after: after.get(id) ?? null,
    }));
    await updateAuthorLists(app, tx, affected);
    posts.push(...affected);
  }
  return posts;
}

// A deleted post's entry is deleted with it. What readers saw of it is then unknown.
async function deletedOf(tx: Transaction, postIds: string[]): Promise<Set<string>> {
  if (postIds.length === 0) return new Set();
  const present = await tx.post.findMany({ where: { id: { in: postIds } }, select: { id: true } });
  const presentIds = new Set(present.map(({ id }) => id));
  return new Set(postIds.filter((id) => !presentIds.has(id)));
}

async function updateAuthorLists(app: Configured, tx: Transaction, posts: AffectedPost[]): Promise<void> {
  const moved = posts.filter(
    ({ before, after }) => authorListPositions(before) !== authorListPositions(after),
  );
  if (moved.length === 0) return;
  await tx.authorPost.deleteMany({ where: { postId: { in: moved.map(({ id }) => id) } } });
  const listings = moved.flatMap(({ id, after }) => (after ? [[id, after] as const] : []));
  await insertAuthorPosts(app, tx, new Map(listings));
}

function authorListPositions(post: PostListing | null | 'unknown'): string {
  if (post === null || post === 'unknown') return String(post);
  return JSON.stringify([post.listedIn, post.publishedAt, post.authorIds]);
}

/** The HTML of posts by id. Bodies are large, so only those are read that serve as an excerpt or contain a player. */
async function readBodies(tx: Transaction, posts: SitemapPost[]): Promise<Map<string, string>> {
  if (posts.length === 0) return new Map();
  const rows = await tx.post.findMany({
    where: {
      id: { in: posts.map(({ id }) => id) },
      OR: [{ excerpt: '' }, { bodyHtml: { contains: '<audio' } }],
    },
    select: { id: true, bodyHtml: true },
  });
  return new Map(rows.map(({ id, bodyHtml }) => [id, bodyHtml]));
}

/**
 * Records for every process which cached pages are out of date. The last write of a public change.
 * @param keys of the pages that may be out of date
 * @param positions where posts were added to or removed from lists: the pages of their neighbours are out of date too
 * @returns the row with the new version and the plan of effects, and all keys
 */
export async function raiseContentVersion(
  app: Configured,
  { tx, now }: { tx: Transaction; now: Date },
  keys: Set<PageKey>,
  positions: readonly ListPosition[] = [],
): Promise<{ contentVersion: number; effectPlan: string; keys: PageKey[] }> {
  const state = await tx.siteState.upsert({
    where: { id: 1 },
    create: { id: 1, contentVersion: 1, updatedAt: now },
    update: { contentVersion: { increment: 1 }, updatedAt: now },
  });
  const version = state.contentVersion;
  // Neighbours are read while `site_state` is locked: of two posts that become neighbours at the same moment, the later
  // change sees the other post. After a change of every page, no further keys are needed.
  const neighbours = keys.has(EVERY_PAGE) ? [] : (await neighboursOf(app, tx, positions)).map(postKey);
  const all = [...keys, ...neighbours];
  await tx.contentChange.create({ data: { version, keys: JSON.stringify(all) } });
  if (version % CHANGES_KEPT === 0)
    await tx.contentChange.deleteMany({ where: { version: { lte: version - CHANGES_KEPT } } });
  // PostgreSQL sends it with the commit. Processes also poll; a notice only makes them faster.
  if (app.env.database.dialect === 'postgresql')
    await tx.$executeRaw`SELECT pg_notify(${CONTENT_CHANNEL}, ${String(version)})`;
  return { ...state, keys: all };
}

/** On SQLite a statement blocks the event loop: 200 positions take 13 ms of processor time. */
const POSITIONS_PER_STATEMENT = 50;

/** The positions as rows. SQLite stores a time as text that ends in +00:00. */
const positionRows = {
  sqlite: `SELECT value ->> '$.id' AS id, value ->> '$.listedIn' AS listed_in,
    replace(value ->> '$.publishedAt', 'Z', '+00:00') AS published_at FROM json_each(?)`,
  postgresql: `SELECT "id", "listedIn" AS listed_in, "publishedAt" AS published_at
    FROM json_to_recordset($1::json) AS place("id" text, "listedIn" text, "publishedAt" timestamp(3))`,
};

/** Compares pairs, so that both databases start at the right position of the index. */
const neighbour = (than: '<' | '>', direction: 'ASC' | 'DESC') => `(SELECT post.id FROM posts post
  WHERE post.listed_in = place.listed_in AND post.status = 'published'
    AND (post.published_at, post.id) ${than} (place.published_at, place.id)
  ORDER BY post.published_at ${direction}, post.id ${direction} LIMIT 1)`;

/** The public posts on both sides of each position. Uses one statement for many positions: an import has many. */
async function neighboursOf(
  { env: { database } }: Configured,
  tx: Pick<Transaction, '$queryRawUnsafe'>,
  changed: readonly ListPosition[],
): Promise<string[]> {
  const rows = await inSteps(changed, POSITIONS_PER_STATEMENT, (chunk) =>
    tx.$queryRawUnsafe<Record<'older' | 'newer', string | null>[]>(
      `SELECT ${neighbour('<', 'DESC')} AS older, ${neighbour('>', 'ASC')} AS newer
        FROM (${positionRows[database.dialect]}) place`,
      JSON.stringify(chunk),
    ),
  );
  return [...new Set(rows.flatMap(({ older, newer }) => [older, newer]))].filter((id) => id !== null);
}
