import type { Timed } from '#app/platform/services.ts';
import type { Message } from '#app/platform/message.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';
import { NEVER, type EffectState } from './plan.ts';

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
  const rows = await db.effect.findMany({
    where: { subject },
    orderBy: { id: 'desc' },
    take: ENTRIES_MAX,
  });
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
