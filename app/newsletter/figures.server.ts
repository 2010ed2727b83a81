import { joinSql, rawSql, sql } from '#app/platform/database/client.server.ts';
import type { Timed } from '#app/platform/services.ts';

const MONTHS = 12;

/**
 * How many people have unsubscribed after an issue, before they got another one. Who subscribed again or was erased is not
 * among them.
 */
export async function countUnsubscribed({ db }: Pick<Timed, 'db'>, issueId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number | bigint }[]>`
    SELECT COUNT(*) AS count FROM newsletter_recipients recipient
    JOIN subscribers subscriber ON subscriber.id = recipient.subscriber_id
    WHERE recipient.issue_id = ${issueId} AND recipient.state = 'sent'
      AND subscriber.state = 'unsubscribed' AND subscriber.state_at >= recipient.sent_at
      AND NOT EXISTS (
        SELECT 1 FROM newsletter_recipients later
        WHERE later.subscriber_id = recipient.subscriber_id AND later.state = 'sent'
          AND later.sent_at > recipient.sent_at AND later.sent_at <= subscriber.state_at)`;
  return Number(row?.count ?? 0);
}

/** How many people were on the list at the end of each of the last twelve months, the present one last. */
export async function listGrowth({ db, clock }: Timed): Promise<{ at: Date; subscribers: number }[]> {
  const now = clock.now();
  const ends = Array.from({ length: MONTHS }, (_, index) =>
    index === MONTHS - 1
      ? now
      : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 2) + index, 1)),
  );
  // Who is active has been since the consent, who is no longer was until the state changed.
  const sums = ends.map(
    (end) => sql`sum(CASE WHEN consent_at <= ${end} AND (state = 'active' OR state_at > ${end})
      THEN 1 ELSE 0 END)`,
  );
  const rows = await db.$queryRaw<Record<string, number | bigint | null>[]>`
    SELECT ${joinSql(sums.map((sum, index) => sql`${sum} AS ${rawSql(`n${index}`)}`))}
    FROM subscribers WHERE consent_at IS NOT NULL`;
  return ends.map((at, index) => ({ at, subscribers: Number(rows[0]?.[`n${index}`] ?? 0) }));
}
