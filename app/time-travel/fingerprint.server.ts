import { rawSql } from '#app/platform/database/client.server.ts';
import type { Configured, Timed } from '#app/platform/services.ts';

/** Unlike the latest time, the sum also changes while the clock is set back. In milliseconds or seconds. */
const sumOfTimes = {
  sqlite: rawSql("SUM(CAST(ROUND(UNIXEPOCH(updated_at, 'subsec') * 1000) AS INTEGER))"),
  postgresql: rawSql('SUM(EXTRACT(EPOCH FROM updated_at))'),
};

/**
 * A text that changes whenever something changes that the site at an instant may show. Each page of a preview reads it,
 * so it is one statement that uses only indexes. Versions rise also while the clock is set back; no index has those of
 * the scheduled posts, which may be many. A new draft counts while a release waits, whose address it may take; the
 * number of posts in the trash falls when one is deleted for good, which no past instant may show then.
 */
export async function readFingerprint(
  { db, clock, env }: Timed & Configured,
  instant: Date,
): Promise<string> {
  const rows = await db.$queryRaw<Record<string, string | null>[]>`
    SELECT
      (SELECT CAST(content_version AS TEXT) FROM site_state WHERE id = 1) AS content,
      (SELECT CONCAT(COUNT(*), ' ', ${sumOfTimes[env.database.dialect]}, ' ', MAX(updated_at)) FROM posts
        WHERE status = 'scheduled') AS waiting,
      (SELECT CONCAT(COUNT(*), ' ', MAX(created_at)) FROM prepared_changes) AS updates,
      (SELECT CONCAT(COUNT(*), ' ', SUM(version), ' ', MAX(updated_at)) FROM releases
        WHERE status IN ('draft', 'scheduled')) AS releases,
      (SELECT CAST(SUM(posts) AS TEXT) FROM post_counts WHERE month = '' AND list = 'all'
        AND (status = 'trashed' OR EXISTS (SELECT 1 FROM releases WHERE status = 'scheduled'))) AS kept,
      (SELECT CAST(SUM(version) AS TEXT) FROM posts WHERE id IN (SELECT post_id FROM prepared_changes)) AS updated,
      (SELECT CONCAT(COUNT(*), ' ', SUM(version)) FROM posts WHERE id IN (
        SELECT subject_id FROM release_items
        WHERE kind = 'post' AND action IN ('publish', 'restore')
          AND release_id IN (SELECT id FROM releases WHERE status = 'scheduled'))) AS drafts`;
  return JSON.stringify([rows[0], instant < clock.now()]);
}
