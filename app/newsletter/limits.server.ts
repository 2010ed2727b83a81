import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '#app/platform/database/client.server.ts';
import type { Timed } from '#app/platform/services.ts';

const MINUTE_MS = 60_000;
/** A sender waits here for its turn; longer waits are the outbox's. */
const SHORT_WAIT_MS = 1_500;

/** Counts one more of something, for all processes together. @returns false when the window has had `max` of them */
export async function takeOne(
  tx: Pick<Transaction, '$queryRaw'>,
  { key, now, windowMs, max }: { key: string; now: Date; windowMs: number; max: number },
): Promise<boolean> {
  const until = new Date(now.getTime() + windowMs);
  const rows = await tx.$queryRaw<unknown[]>`
    INSERT INTO newsletter_limits ("key", "until", "count") VALUES (${key}, ${until}, 1)
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN newsletter_limits."until" <= ${now} THEN 1 ELSE newsletter_limits."count" + 1 END,
      "until" = CASE WHEN newsletter_limits."until" <= ${now} THEN excluded."until" ELSE newsletter_limits."until" END
    WHERE newsletter_limits."until" <= ${now} OR newsletter_limits."count" < ${max}
    RETURNING "count"`;
  return rows.length > 0;
}

/**
 * Reserves a second's share of the mails that may go per minute, for all processes together.
 * @returns how many mails may go now, or when to ask again
 */
export async function reserveMails(app: Timed, perMinute: number): Promise<{ mails: number } | { at: Date }> {
  const mails = Math.max(1, Math.floor(perMinute / 60));
  for (let tries = 0; ; tries += 1) {
    const now = app.clock.now();
    const until = new Date(now.getTime() + (mails * MINUTE_MS) / perMinute);
    const rows = await app.db.$queryRaw<unknown[]>`
      INSERT INTO newsletter_limits ("key", "until", "count") VALUES ('sending', ${until}, ${mails})
      ON CONFLICT ("key") DO UPDATE SET "until" = excluded."until", "count" = excluded."count"
      WHERE newsletter_limits."until" <= ${now}
      RETURNING "count"`;
    if (rows.length > 0) return { mails };
    const row = await app.db.newsletterLimit.findUnique({ where: { key: 'sending' } });
    const at = row?.until ?? now;
    const wait = at.getTime() - now.getTime();
    // A clock that was set back must not stop the newsletter for long.
    if (wait > SHORT_WAIT_MS || tries >= 3) return { at: wait > MINUTE_MS ? until : at };
    await sleep(Math.max(1, wait));
  }
}

/** Deletes counts whose window has ended. */
export async function trimLimits({ db, clock }: Timed): Promise<void> {
  await db.newsletterLimit.deleteMany({ where: { until: { lt: clock.now() } } });
}
