import type { Transaction } from '#app/platform/database/client.server.ts';
import { lockTables, inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import type { Configured, Db } from '#app/platform/services.ts';

/** A large instance takes minutes. */
const TIMEOUT_MS = 60 * 60 * 1000;
/** The key of a PostgreSQL lock, which no other lock of this project has. */
const SUMMING_UP = 7_214_001;

/** The result of `posts:check-counts`. */
export interface CountsCheck {
  /** Stored counts, each of a list in a state, or in a state and month. */
  counts: number;
  /** Counts that differ from the posts. */
  different: number;
  /**
   * The number of faults in other derived rows: public posts that a tag's list lacks or wrongly contains, sitemap
   * entries that portions count wrongly, and files whose uses in texts are wrong.
   */
  misplaced: number;
  repaired: boolean;
}

/** Compares the counts, the lists of tags and the uses of files, which database triggers keep, with the posts. */
export async function checkCounts(
  app: Db & Configured,
  { repair }: { repair: boolean },
): Promise<CountsCheck> {
  const { dialect } = app.env.database;
  return inTransaction(
    app.db,
    async (tx) => {
      // Otherwise a change between two of the statements would be reported as a difference.
      await lockTables(tx, dialect, [
        ...['posts', 'post_tags', 'prepared_changes', 'embeds', 'file_mentions', 'tag_posts'],
        ...['author_posts', 'post_counts', 'sitemap_entries', 'sitemap_portions'],
      ]);
      // Whole tables are compared. After a large import PostgreSQL may still take them for empty, and would choose
      // nested loops, which take too long.
      if (dialect === 'postgresql') {
        await tx.$executeRaw`SET LOCAL enable_nestloop = off`;
        // The plan's cost is high then, also without a post, and PostgreSQL would compile it: that takes 20 seconds.
        await tx.$executeRaw`SET LOCAL jit = off`;
      }
      const { counts, different, misplaced } = await compare(tx, dialect);
      const repaired = repair && different + misplaced > 0;
      if (repaired) await rebuildCounts(tx, dialect);
      return { counts, different, misplaced, repaired };
    },
    { timeout: TIMEOUT_MS },
  );
}

async function compare(tx: Transaction, dialect: Dialect): Promise<Omit<CountsCheck, 'repaired'>> {
  const [row] = await tx.$queryRawUnsafe<Record<'counts' | 'different' | 'misplaced', number | bigint>[]>(`
    WITH kept AS (
      SELECT list, status, month, sum(posts) AS posts FROM post_counts GROUP BY list, status, month HAVING sum(posts) <> 0
    ), counted AS (${COUNTED[dialect]})
    SELECT (SELECT count(*) FROM kept) AS counts,
      (SELECT count(*) FROM (
        SELECT list, status, month FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted) AS too_many
        UNION SELECT list, status, month FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept) AS too_few
      ) AS differing) AS different,
      (SELECT count(*) FROM (${LISTED} EXCEPT SELECT post_id, tag_id, listed_in, published_at FROM tag_posts) AS lacking)
      + (SELECT count(*) FROM (SELECT post_id, tag_id, listed_in, published_at FROM tag_posts EXCEPT ${LISTED}) AS surplus)
      + (SELECT coalesce(sum(abs(portion.entries - (
          SELECT count(*) FROM sitemap_entries
          WHERE sitemap = portion.sitemap AND post_id >= portion.first_post_id
            AND (portion.next_post_id IS NULL OR post_id < portion.next_post_id)))), 0)
        FROM (SELECT sitemap, first_post_id, entries,
          lead(first_post_id) OVER (PARTITION BY sitemap ORDER BY first_post_id) AS next_post_id
          FROM sitemap_portions) AS portion)
      + (SELECT count(*) FROM sitemap_entries WHERE sitemap NOT IN (SELECT sitemap FROM sitemap_portions))
      + (SELECT count(*) FROM (${NAMED} EXCEPT ${MENTIONED}) AS unknown)
      + (SELECT count(*) FROM (${MENTIONED} EXCEPT ${NAMED}) AS gone) AS misplaced`);
  return {
    counts: Number(row!.counts),
    different: Number(row!.different),
    misplaced: Number(row!.misplaced),
  };
}

/** Derives all of these rows anew, without a look at what they are. */
export async function rebuildCounts(tx: Transaction, dialect: Dialect): Promise<void> {
  await tx.$executeRawUnsafe('DELETE FROM tag_posts');
  await tx.$executeRawUnsafe(`INSERT INTO tag_posts (post_id, tag_id, listed_in, published_at) ${LISTED}`);
  await tx.$executeRawUnsafe('DELETE FROM file_mentions');
  await tx.$executeRawUnsafe(`INSERT INTO file_mentions (file, kind, owner) ${NAMED}`);
  await tx.$executeRawUnsafe('DELETE FROM post_counts');
  await tx.$executeRawUnsafe(`INSERT INTO post_counts (list, status, month, posts) ${COUNTED[dialect]}`);
  await rebuildPortions(tx);
}

// Gives portions new stamps: processes may have cached the texts of the old ones.
async function rebuildPortions(tx: Transaction): Promise<void> {
  const { _max } = await tx.sitemapPortion.aggregate({ _max: { stamp: true } });
  await tx.$executeRawUnsafe('DELETE FROM sitemap_portions');
  await tx.$executeRawUnsafe(`
    INSERT INTO sitemap_portions (sitemap, first_post_id, entries, stamp)
    SELECT sitemap, CASE WHEN portion = 0 THEN '' ELSE min(post_id) END, count(*), ${(_max.stamp ?? 0) + 1}
    FROM (
      SELECT sitemap, post_id, (row_number() OVER (PARTITION BY sitemap ORDER BY post_id, path) - 1) / 1000 AS portion
      FROM sitemap_entries
    ) AS numbered
    GROUP BY sitemap, portion`);
}

const MENTIONED = 'SELECT file, kind, owner FROM file_mentions';
const NAMED = 'SELECT file, kind, owner FROM named_files';

const LISTED = `SELECT post_id, tag_id, listed_in, published_at FROM post_tags JOIN posts ON posts.id = post_tags.post_id
  WHERE status = 'published' AND published_at IS NOT NULL`;

const EACH = `
  SELECT 'all' AS list, listed_in, status, published_at FROM posts
  UNION ALL SELECT 'category:' || category_id, listed_in, status, published_at FROM posts WHERE category_id IS NOT NULL
  UNION ALL
  SELECT 'tag:' || tag_id, listed_in, status, published_at FROM post_tags JOIN posts ON posts.id = post_tags.post_id`;

const ROWS = `(
  SELECT list, status, published_at FROM (${EACH}) AS whole
  UNION ALL SELECT list || '/-', status, published_at FROM (${EACH}) AS elsewhere WHERE listed_in <> ''
  UNION ALL SELECT list || '/' || listed_in, status, published_at FROM (${EACH}) AS other WHERE listed_in <> ''
  UNION ALL SELECT 'author:' || author_id, status, published_at FROM posts WHERE author_id IS NOT NULL
  UNION ALL
  SELECT 'by:' || user_id || CASE listed_in WHEN '' THEN '' ELSE '/' || listed_in END, 'published', published_at
  FROM author_posts
) AS listed`;

const counted = (month: string) => `SELECT list, status, month, count(*) AS posts FROM (
    SELECT list, status, '' AS month FROM ${ROWS}
    UNION ALL
    SELECT list, status, ${month} FROM ${ROWS} WHERE status = 'published' AND published_at IS NOT NULL
  ) AS each_post GROUP BY list, status, month`;

const COUNTED: Record<Dialect, string> = {
  sqlite: counted('substr(published_at, 1, 7)'),
  postgresql: counted("to_char(published_at, 'YYYY-MM')"),
};

/**
 * PostgreSQL: adds the changes of counts, each in a row of its own, to their sums. Nobody waits for it, and readers see
 * the same sums before and after. On SQLite, with its one writer, the triggers update the sums directly.
 */
export async function sumUpCounts(app: Db & Configured): Promise<void> {
  if (app.env.database.dialect === 'sqlite') return;
  await inTransaction(app.db, async (tx) => {
    const [lock] = await tx.$queryRaw<{ taken: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(${SUMMING_UP}::bigint) AS taken`;
    if (!lock?.taken) return;
    await tx.$executeRaw`
      WITH changes AS (DELETE FROM post_counts WHERE part <> '' RETURNING list, status, month, posts)
      INSERT INTO post_counts (list, status, month, posts)
      SELECT list, status, month, sum(posts) FROM changes GROUP BY list, status, month HAVING sum(posts) <> 0
      ON CONFLICT (list, status, month, part) DO UPDATE SET posts = post_counts.posts + excluded.posts`;
  });
}
