import { newIds } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertRows } from '#app/platform/database/insert-rows.server.ts';
import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import type { Clocked } from '#app/platform/services.ts';
import type { EffectKind } from './plan.ts';

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
