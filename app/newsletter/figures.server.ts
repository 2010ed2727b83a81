import type { Timed } from '#app/platform/services.ts';
import { subscriberStates, type SubscriberState } from './states.ts';

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
  const rows = await db.subscriberCount.findMany({ where: { state: '', frequency: '', categories: '' } });
  return Array.from({ length: MONTHS }, (_, index) => {
    const isPresent = index === MONTHS - 1;
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 2) + index, 1);
    const month = new Date(end - 1).toISOString().slice(0, 7);
    const until = rows.filter((row) => row.month <= month);
    return {
      at: isPresent ? now : new Date(end),
      subscribers: until.reduce((sum, { subscribers }) => sum + subscribers, 0),
    };
  });
}

/** How many people are in each state. */
export async function countSubscribers({
  db,
}: Pick<Timed, 'db'>): Promise<{ name: SubscriberState; count: number }[]> {
  const groups = await db.subscriberCount.groupBy({
    by: ['state'],
    where: { month: '' },
    _sum: { subscribers: true },
  });
  return subscriberStates.map((name) => ({
    name,
    count: groups.find(({ state }) => state === name)?._sum.subscribers ?? 0,
  }));
}
