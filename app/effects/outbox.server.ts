import { newIds } from '#app/platform/clock.ts';
import type { Transaction, Prisma } from '#app/platform/database/client.server.ts';
import { insertRows } from '#app/platform/database/insert-rows.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import type { Message } from '#app/platform/message.ts';
import type { Clocked, Timed } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { waitBeforeNextTry } from './attempts.ts';
import { type EffectKind, NEVER, openStates } from './events.ts';

const ROWS_PER_STATEMENT = 50;

/** An effect before it has an id. */
export interface NewEffect {
  kind: EffectKind;
  event: string;
  subject: string;
  receiver: string;
  /** Absent: no other effect waits for this one. */
  lane?: string;
  details: object;
  dueAt: Date;
}

/** Writes effects in the transaction of what causes them. @param order their place in their lanes, and when they were caused */
export async function insertEffects(
  { clock }: Clocked,
  tx: Transaction,
  effects: readonly NewEffect[],
  order: { sequence: number; now: Date },
): Promise<void> {
  const ids = newIds(clock, effects.length);
  const rows = effects.map(({ lane, details, ...effect }, index) => ({
    id: ids[index]!,
    ...effect,
    lane: lane ?? ids[index]!,
    sequence: order.sequence,
    details: JSON.stringify(details),
    createdAt: order.now,
  }));
  await inSteps(rows, ROWS_PER_STATEMENT, async (chunk) => {
    await insertRows(tx, 'effects', chunk);
    return [];
  });
}

/** A claim that ends before its process has written the outcome is another process's to take. Longer than a try. */
const CLAIM_MS = 60_000;

/** An effect that this process carries out. */
export type ClaimedEffect = Prisma.EffectGetPayload<object>;

/** What became of a try. */
export type Outcome =
  | { state: 'done' }
  /** What it would say is no longer public or no longer true, or nobody wants it any more. */
  | { state: 'cancelled'; reason: Message }
  /** `retryAfterMs`: the wait that the receiver asked for. */
  | { state: 'failed'; error: Message; retryAfterMs?: number }
  /** Part of it is done, and the rest is due at that time. Counts as no failed try. */
  | { state: 'again'; at: Date }
  /** The receiver is paused: the effect waits until somebody resumes it. */
  | { state: 'paused'; reason: Message };

/** The receivers for which something is due. */
export async function dueReceivers(app: Timed): Promise<string[]> {
  const rows = await app.db.effect.groupBy({
    by: ['receiver'],
    where: { state: { in: openStates }, dueAt: { lte: app.clock.now() } },
  });
  return rows.map(({ receiver }) => receiver);
}

/** When the next effect is due; null: none waits. */
export async function nextDueAt({ db }: Pick<Timed, 'db'>): Promise<Date | null> {
  const next = await db.effect.findFirst({
    where: { state: { in: openStates }, dueAt: { lt: NEVER } },
    orderBy: { dueAt: 'asc' },
    select: { dueAt: true },
  });
  return next?.dueAt ?? null;
}

/**
 * Claims due effects of a receiver, of each lane only the first one that has still to happen. The update has all
 * conditions and returns the rows it changed, so that no two processes claim the same effect.
 */
export async function claimDue(
  app: Timed,
  { receiver, claimedBy, limit }: { receiver: string; claimedBy: string; limit: number },
): Promise<ClaimedEffect[]> {
  const now = app.clock.now();
  const due = await app.db.$queryRaw<{ id: string }[]>`
    SELECT effect.id FROM effects effect
    WHERE effect.receiver = ${receiver} AND effect.state IN ('waiting', 'failed', 'running') AND effect.due_at <= ${now}
      AND NOT EXISTS (
        SELECT 1 FROM effects earlier
        WHERE earlier.lane = effect.lane AND earlier.sequence < effect.sequence
          AND earlier.state IN ('waiting', 'failed', 'running', 'held'))
    ORDER BY effect.due_at, effect.id LIMIT ${limit}`;
  if (due.length === 0) return [];
  return app.db.effect.updateManyAndReturn({
    where: { id: { in: due.map(({ id }) => id) }, state: { in: openStates }, dueAt: { lte: now } },
    data: { state: 'running', claimedBy, dueAt: new Date(now.getTime() + CLAIM_MS), tries: { increment: 1 } },
  });
}

/**
 * Writes the outcome of a try, if the claim still holds. What follows in the lane waits with a failed effect: otherwise
 * each claim would read it in vain.
 * @returns the state that the effect has now; null when the claim had ended
 */
export async function finishTry(
  app: Timed,
  { id, claimedBy, lane, tries }: ClaimedEffect,
  outcome: Outcome,
): Promise<'done' | 'cancelled' | 'failed' | 'dead' | 'waiting' | null> {
  const now = app.clock.now();
  const wait = outcome.state === 'failed' ? waitBeforeNextTry(tries, outcome.retryAfterMs) : null;
  const state =
    outcome.state === 'paused' || outcome.state === 'again'
      ? 'waiting'
      : outcome.state === 'failed' && wait === null
        ? 'dead'
        : outcome.state;
  const dueAt =
    outcome.state === 'again'
      ? outcome.at
      : state === 'waiting'
        ? NEVER
        : new Date(now.getTime() + (wait ?? 0));
  const isFinal = state !== 'waiting' && state !== 'failed';
  const lastError = toStored(
    outcome.state === 'failed' ? outcome.error : 'reason' in outcome ? outcome.reason : '',
  );
  return inTransaction(app.db, async (tx) => {
    const { count } = await tx.effect.updateMany({
      where: { id, claimedBy, state: 'running' },
      data: {
        ...{ state, dueAt, lastError, finishedAt: isFinal ? now : null },
        ...(outcome.state === 'again' && { tries: 0 }),
      },
    });
    if (count === 0) return null;
    const following = { lane, state: 'waiting', id: { not: id } };
    if (!isFinal)
      await tx.effect.updateMany({ where: { ...following, dueAt: { lt: dueAt } }, data: { dueAt } });
    else if (lane !== id)
      await tx.effect.updateMany({
        where: { ...following, dueAt: { gt: now, lt: NEVER } },
        data: { dueAt: now },
      });
    return state;
  });
}

/** Makes the claim of an effect that takes long last for another minute. @returns false when it had ended */
export async function renewClaim({ db, clock }: Timed, { id, claimedBy }: ClaimedEffect): Promise<boolean> {
  const dueAt = new Date(clock.now().getTime() + CLAIM_MS);
  const { count } = await db.effect.updateMany({
    where: { id, claimedBy, state: 'running' },
    data: { dueAt },
  });
  return count > 0;
}
