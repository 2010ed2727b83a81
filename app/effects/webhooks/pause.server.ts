import { NEVER } from '#app/effects/plan.ts';
import { updatePlan } from '#app/effects/record.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Timed } from '#app/platform/services.ts';

/** Pauses a webhook: its messages wait until somebody resumes it. @param reason empty: somebody wants it so */
export async function pauseWebhook({ db, clock }: Timed, id: string, reason = ''): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await tx.webhook.updateMany({
      where: { id },
      data: { pausedAt: now, pauseReason: reason, updatedAt: now },
    });
    // Changes write their effects while they hold the plan's row: after this, none is due before `NEVER`.
    await updatePlan(tx, now);
    await tx.effect.updateMany({
      where: { receiver: id, state: { in: ['waiting', 'failed'] } },
      data: { state: 'waiting', dueAt: NEVER },
    });
  });
}

/** Resumes a paused webhook. What waited for it is due at once, with all its tries. */
export async function resumeWebhook({ db, clock }: Timed, id: string): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await tx.webhook.updateMany({
      where: { id },
      data: { pausedAt: null, pauseReason: '', failingSince: null, updatedAt: now },
    });
    await updatePlan(tx, now);
    await tx.effect.updateMany({
      where: { receiver: id, state: 'waiting', dueAt: NEVER },
      data: { dueAt: now, tries: 0 },
    });
  });
}
