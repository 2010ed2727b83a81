import { cancelIssue, forgetNewsletter } from '#app/newsletter/issues.server.ts';
import { ISSUE } from '#app/newsletter/record-issues.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import type { EffectApp } from './effect-app.ts';
import { joinInstance } from './instance.server.ts';
import { NEVER, openStates, type EffectState } from './plan.ts';

const RETENTION_MS = 30 * DAY_MS;

/** Tries an effect again now, under the same id, as if it had not been tried. */
export async function retryEffect(app: Timed, id: string): Promise<void> {
  const effect = await requireEffect(app, id);
  if (effect.state === 'running' || effect.state === 'held')
    throw new AppError('conflict', 'This effect is running or held, so it can’t be tried again now.');
  const webhook = await app.db.webhook.findUnique({ where: { id: effect.receiver } });
  await app.db.effect.updateMany({
    where: { id, state: effect.state },
    data: {
      state: 'waiting',
      tries: 0,
      dueAt: webhook?.pausedAt ? NEVER : app.clock.now(),
      finishedAt: null,
      acknowledgedAt: null,
    },
  });
}

/** Ends an effect that has not happened yet. */
export async function cancelEffect(app: Timed, id: string): Promise<void> {
  const { lane, event, receiver } = await requireEffect(app, id);
  // Its mails would wait for ever.
  if (event === ISSUE) return cancelIssue(app, receiver);
  const now = app.clock.now();
  const open: EffectState[] = ['waiting', 'failed', 'held', 'dead'];
  const { count } = await app.db.effect.updateMany({
    where: { id, state: { in: open } },
    data: { state: 'cancelled', finishedAt: now, lastError: '' },
  });
  if (count === 0)
    throw new AppError('conflict', 'This effect is running or finished, so it can’t be cancelled.');
  // What follows in its lane may have waited with it.
  await app.db.effect.updateMany({
    where: { lane, state: 'waiting', dueAt: { gt: now, lt: NEVER } },
    data: { dueAt: now },
  });
}

/** Notes that somebody knows of a dead effect. */
export async function acknowledgeEffect(app: Timed, id: string): Promise<void> {
  await requireEffect(app, id);
  await app.db.effect.updateMany({
    where: { id, state: 'dead' },
    data: { acknowledgedAt: app.clock.now() },
  });
}

async function requireEffect({ db }: Timed, id: string) {
  const effect = await db.effect.findUnique({ where: { id } });
  if (!effect) throw new AppError('not_found', 'This effect does not exist.');
  return effect;
}

/** Holds everything that has still to happen. */
export async function holdOpen({ db }: Timed): Promise<void> {
  await db.effect.updateMany({ where: { state: { in: openStates } }, data: { state: 'held' } });
}

/** Lets a restored or copied instance send again, and releases what is held. @returns how many effects that are */
export async function releaseEffects(app: Pick<EffectApp, 'db' | 'clock' | 'mediaStore'>): Promise<number> {
  await joinInstance(app);
  const paused = await app.db.webhook.findMany({ where: { pausedAt: { not: null } }, select: { id: true } });
  const isPaused = { in: paused.map(({ id }) => id) };
  const state = 'held';
  const released = await app.db.effect.updateMany({
    where: { state, receiver: { notIn: isPaused.in } },
    data: { state: 'waiting', dueAt: app.clock.now() },
  });
  const waiting = await app.db.effect.updateMany({
    where: { state, receiver: isPaused },
    data: { state: 'waiting', dueAt: NEVER },
  });
  return released.count + waiting.count;
}

/** Removes what a copy of the database would send, and to whom. */
export async function forgetEffects(tx: Transaction): Promise<void> {
  await tx.effect.deleteMany();
  await tx.alert.deleteMany();
  await tx.webhookDelivery.deleteMany();
  await tx.webhook.deleteMany();
  await forgetNewsletter(tx);
  await tx.siteState.updateMany({ data: { effectPlan: '{}' } });
}

/** Deletes what was finished 30 days ago, and the log of deliveries of that time. */
export async function trimEffects({ db, clock }: Timed): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await db.effect.deleteMany({ where: { finishedAt: { lt: before } } });
  await db.webhookDelivery.deleteMany({ where: { at: { lt: before } } });
  await db.alert.deleteMany({ where: { isOpen: false, changedAt: { lt: before } } });
}
