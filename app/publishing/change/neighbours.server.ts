import type { Transaction } from '#app/platform/database/client.server.ts';
import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import type { Configured } from '#app/platform/services.ts';
import type { ListPosition } from './changed-keys.ts';

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
export async function neighboursOf(
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
