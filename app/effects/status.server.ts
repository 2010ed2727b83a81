import type { Message } from '#app/platform/message.ts';
import type { Timed } from '#app/platform/services.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';
import type { EffectApp } from './effect-app.ts';
import { openStates, NEVER, type EffectState } from './events.ts';
import { isHeld } from './manage.server.ts';

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

const ENTRIES_MAX = 20;

/** An effect of a publication: what, to whom, when, and why not yet. */
export interface LedgerEntry {
  id: string;
  kind: string;
  event: string;
  /** The name of the webhook; blank for other kinds. */
  receiver: string;
  state: EffectState;
  createdAt: Date;
  finishedAt: Date | null;
  /** The next try; null: none, or the receiver is paused. */
  dueAt: Date | null;
  error: Message;
}

/** The newest effects of a post or release. @param subject `post:<id>` or `release:<id>` */
export async function readLedger({ db }: Pick<Timed, 'db'>, subject: string): Promise<LedgerEntry[]> {
  const rows = await db.effect.findMany({ where: { subject }, orderBy: { id: 'desc' }, take: ENTRIES_MAX });
  if (rows.length === 0) return [];
  const names = await readReceiverNames({ db });
  return rows.map(({ id, kind, event, receiver, state, createdAt, finishedAt, dueAt, lastError }) => ({
    ...{ id, kind, event, createdAt, finishedAt },
    receiver: names.get(receiver) ?? '',
    state: state as EffectState,
    dueAt: dueAt < NEVER && ['waiting', 'failed'].includes(state) ? dueAt : null,
    error: fromStored(lastError),
  }));
}

/** The names of the webhooks, by id. */
export async function readReceiverNames({ db }: Pick<Timed, 'db'>): Promise<Map<string, string>> {
  const webhooks = await db.webhook.findMany({ select: { id: true, name: true } });
  return new Map(webhooks.map(({ id, name }) => [id, name]));
}
