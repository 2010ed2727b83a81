// The statements of the trigger without the layers above them: the difference in time is what these cost.

export interface RawDriver {
  begin: string;
  /** Placeholders are `$1`, `$2`, … in order. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const BATCH_SIZE = 200;

/** Publishes everything that is due. @returns how many posts */
export async function publishRaw(driver: RawDriver, newId: () => string): Promise<number> {
  const now = new Date();
  let count = 0;
  for (;;) {
    const due = await driver.query(
      `SELECT id FROM posts WHERE status = 'scheduled' AND published_at <= $1 ORDER BY published_at, id LIMIT ${BATCH_SIZE}`,
      [now],
    );
    if (due.length === 0) return count;
    count += await publishBatch(
      driver,
      due.map(({ id }) => id as string),
      now,
      newId,
    );
  }
}

async function publishBatch(
  driver: RawDriver,
  ids: string[],
  now: Date,
  newId: () => string,
): Promise<number> {
  const query = driver.query;
  const list = (from: number) => ids.map((_, index) => `$${from + index}`).join(', ');
  await query(driver.begin);
  const claimed = await query(
    `UPDATE posts SET status = 'published', has_been_public = true, version = version + 1, content_updated_at = $1, updated_at = $2
     WHERE id IN (${list(3)}) AND status = 'scheduled' AND published_at <= $${ids.length + 3} RETURNING id, slug, title`,
    [now, now, ...ids, now],
  );
  await query(
    `SELECT post_id FROM revisions WHERE post_id IN (${list(1)}) GROUP BY post_id HAVING count(*) > 25`,
    ids,
  );
  const entries = claimed.map(({ title }) => [
    newId(),
    now,
    'post.published',
    null,
    'Trigger',
    title,
    '',
    '',
  ]);
  await query(
    `INSERT INTO audit_log (id, at, action, user_id, actor, subject, details, address) VALUES ${tuples(entries)}`,
    entries.flat(),
  );
  await query(`UPDATE posts SET version = version + 0 WHERE id IN (${list(1)})`, ids);
  await query(`DELETE FROM sitemap_entries WHERE post_id IN (${list(1)})`, ids);
  const published = await query(
    `SELECT id, slug, content_updated_at FROM posts WHERE id IN (${list(1)}) AND status = 'published' ORDER BY id`,
    ids,
  );
  const rows = published.map(({ id, slug, content_updated_at }) => [
    `/posts/${slug as string}`,
    id,
    content_updated_at,
  ]);
  await query(
    `INSERT INTO sitemap_entries (path, post_id, last_modified) VALUES ${tuples(rows)}`,
    rows.flat(),
  );
  const marks = ids.map((id) => [id, newId(), now]);
  await query(
    `INSERT INTO search_outbox (post_id, marker, enqueued_at) VALUES ${tuples(marks)}
     ON CONFLICT (post_id) DO UPDATE SET marker = excluded.marker, enqueued_at = excluded.enqueued_at`,
    marks.flat(),
  );
  await query(
    `INSERT INTO site_state (id, content_version, updated_at) VALUES (1, 1, $1)
     ON CONFLICT (id) DO UPDATE SET content_version = site_state.content_version + 1, updated_at = $2`,
    [now, now],
  );
  await query('COMMIT');
  return claimed.length;
}

function tuples(rows: unknown[][]): string {
  let next = 0;
  return rows.map((row) => `(${row.map(() => `$${(next += 1)}`).join(', ')})`).join(', ');
}
