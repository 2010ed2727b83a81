import type { Database, Transaction } from '#app/platform/database/client.server.ts';

/** Posts of a forecast that are named. */
const NAMED = 20;

/** A post that is mailed when it becomes public, and to how many people if that were now. */
export interface ForecastIssue {
  id: string;
  title: string;
  recipients: number;
}

type Reader = { db: Pick<Database, '$queryRaw' | 'newsletterIssue'> };

/** How many people get an issue of a post in this category; null: in none. */
export async function countRecipients(
  { db }: { db: Pick<Database | Transaction, '$queryRaw'> },
  categoryId: string | null,
): Promise<number> {
  const wanted = `%"${categoryId ?? ''}"%`;
  const [row] = await db.$queryRaw<{ count: number | bigint | null }[]>`
    SELECT SUM(subscribers) AS count FROM subscriber_counts
    WHERE state = 'active' AND frequency = 'each' AND month = '' AND (categories = '[]' OR categories LIKE ${wanted})`;
  return Number(row?.count ?? 0);
}

/** True when the post was sent by email, or is about to be: it is sent once. */
export async function hasIssue({ db }: Reader, postId: string): Promise<boolean> {
  const issue = await db.newsletterIssue.findFirst({ where: { postId }, select: { id: true } });
  return issue !== null;
}

/** Which of these posts will be mailed when they become public. */
export async function forecastIssues(
  app: Reader,
  posts: readonly { id: string; title: string; sendByEmail: string; categoryId: string | null }[],
): Promise<{ issues: ForecastIssue[]; more: number }> {
  const wanted = posts.filter(({ sendByEmail }) => sendByEmail === 'yes');
  const issues: ForecastIssue[] = [];
  const counts = new Map<string | null, number>();
  let more = 0;
  for (const { id, title, categoryId } of wanted) {
    if (await hasIssue(app, id)) continue;
    if (issues.length === NAMED) {
      more += 1;
      continue;
    }
    const recipients = counts.get(categoryId) ?? (await countRecipients(app, categoryId));
    counts.set(categoryId, recipients);
    issues.push({ id, title, recipients });
  }
  return { issues, more };
}
