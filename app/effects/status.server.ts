import type { Timed } from '#app/platform/services.ts';
import type { EffectApp } from './effect-app.ts';
import { isHeld } from './instance.server.ts';
import { openStates } from './plan.ts';

/** An effect that waits for longer than this past its time raises an alert. */
const OVERDUE_AFTER_MS = 15 * 60 * 1000;

interface Counts {
  waiting: number;
  dead: number;
  held: number;
}

/** What `effects:status` prints. */
export interface EffectsStatus extends Counts {
  oldestWaitingAt: string | null;
  byKind: Record<string, Counts>;
}

/** Effects that are not finished, or dead without anybody's acknowledgement. */
const unsettled = {
  OR: [{ state: { in: [...openStates, 'held'] } }, { state: 'dead', acknowledgedAt: null }],
};

export async function readEffectsStatus({ db }: Pick<Timed, 'db'>): Promise<EffectsStatus> {
  const [rows, oldest] = await Promise.all([
    db.effect.groupBy({ by: ['kind', 'state'], where: unsettled, _count: true }),
    db.effect.aggregate({ where: { state: { in: openStates } }, _min: { createdAt: true } }),
  ]);
  const status: EffectsStatus = {
    waiting: 0,
    dead: 0,
    held: 0,
    oldestWaitingAt: oldest._min.createdAt?.toISOString() ?? null,
    byKind: {},
  };
  for (const { kind, state, _count } of rows) {
    const name = state === 'dead' || state === 'held' ? state : 'waiting';
    const ofKind = (status.byKind[kind] ??= { waiting: 0, dead: 0, held: 0 });
    ofKind[name] += _count;
    status[name] += _count;
  }
  return status;
}

/** How many effects wait or are held. */
export async function countOpen(app: Pick<Timed, 'db'>): Promise<{ waiting: number; held: number }> {
  const [waiting, held] = await Promise.all([
    app.db.effect.count({ where: { state: { in: openStates } } }),
    app.db.effect.count({ where: { state: 'held' } }),
  ]);
  return { waiting, held };
}

/** True when the operator is alerted: something is dead and nobody has acknowledged it, or waits past its time. */
export async function shouldAlertEffects({ db, clock }: Timed): Promise<boolean> {
  const overdue = new Date(clock.now().getTime() - OVERDUE_AFTER_MS);
  const found = await db.effect.findFirst({
    where: {
      OR: [
        { state: { in: openStates }, dueAt: { lt: overdue } },
        { state: 'dead', acknowledgedAt: null },
      ],
    },
    select: { id: true },
  });
  return found !== null;
}

/** The state of effects for the readiness route. An instance without effects is `ok`, restored or not. */
export async function checkEffects(
  app: Pick<EffectApp, 'db' | 'clock' | 'mediaStore'>,
): Promise<'ok' | 'overdue' | 'held'> {
  if (await isHeldWithEffects(app)) return 'held';
  return (await shouldAlertEffects(app)) ? 'overdue' : 'ok';
}

/** What the dashboard says about effects. */
export async function readEffectNotices(app: Pick<EffectApp, 'db' | 'clock' | 'mediaStore'>) {
  const [isHeld, mustAlert, paused] = await Promise.all([
    isHeldWithEffects(app),
    shouldAlertEffects(app),
    app.db.webhook.findMany({ where: { pausedAt: { not: null } }, select: { name: true } }),
  ]);
  return { isHeld, mustAlert, pausedWebhooks: paused.map(({ name }) => name) };
}

/** True when effects are held, or would be with the next change. */
export async function isHeldWithEffects(
  app: Pick<EffectApp, 'db' | 'clock' | 'mediaStore'>,
): Promise<boolean> {
  const [state, waiting] = await Promise.all([
    app.db.siteState.findUnique({ where: { id: 1 }, select: { effectPlan: true } }),
    app.db.effect.findFirst({
      where: { state: { in: [...openStates, 'held'] } },
      select: { id: true, state: true },
    }),
  ]);
  const hasPlan = (state?.effectPlan ?? '{}') !== '{}';
  if (!hasPlan && waiting === null) return false;
  return isHeld(app);
}
