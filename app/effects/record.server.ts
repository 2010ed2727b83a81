import { newIds } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertRows } from '#app/platform/database/insert-rows.server.ts';
import { EVERY_PAGE } from '#app/platform/http/page-keys.ts';
import { inChunks, inSteps } from '#app/platform/jobs/event-loop.server.ts';
import type { Clocked } from '#app/platform/services.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { changedAddresses, changedFeeds, eventsOf, type CausingChange } from './events.ts';
import { NEVER, readPlan, type EffectKind, type EffectPlan } from './plan.ts';

const ROWS_PER_STATEMENT = 50;
const SECOND_PURGE_MS = 1_500;
/** A change of more keys purges everything. */
const PURGED_KEYS_MAX = 250;
/** Addresses of one message to search engines. */
const ADDRESSES_MAX = 1_000;

/** The row of `site_state` that a public change has just written. */
interface State {
  contentVersion: number;
  effectPlan: string;
}

/** An effect that a change causes, before it has an id. */
interface NewEffect {
  kind: EffectKind;
  event: string;
  subject: string;
  receiver: string;
  /** Absent: no other effect waits for this one. */
  lane?: string;
  details: object;
  dueAt: Date;
}

/**
 * Writes the effects of a change, in its transaction. The content version is the order of a post's events: only one
 * change at a time raises it, and commits before the next one does.
 * @param state absent if the change wrote none
 * @returns their number
 */
export async function recordEffects(
  { clock }: Clocked,
  tx: Transaction,
  change: CausingChange & { now: Date },
  state: State | null,
): Promise<number> {
  if (state === null && change.events.length === 0) return 0;
  const { effectPlan, contentVersion } = state ?? (await readState(tx));
  if (effectPlan === '{}') return 0;
  const effects = effectsOf(readPlan(effectPlan), change);
  if (effects.length === 0) return 0;
  await insertEffects({ clock }, tx, effects, { sequence: contentVersion, now: change.now });
  return effects.length;
}

/** Writes effects. @param order their place in their lanes, and when they were caused */
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

function effectsOf(plan: EffectPlan, change: CausingChange & { now: Date }): NewEffect[] {
  const events = eventsOf(change);
  const messages = plan.webhooks.flatMap(({ id, events: wanted, isPaused }) =>
    events
      .filter(({ event }) => wanted.includes(event))
      .map(({ event, subject, details }) => ({
        kind: 'webhook' as const,
        event,
        subject,
        receiver: id,
        lane: subject.startsWith('post:') ? `${id} ${subject}` : undefined,
        details,
        dueAt: isPaused ? NEVER : change.now,
      })),
  );
  return [
    ...messages,
    ...(plan.purges ? purgesOf(change) : []),
    ...(plan.websub ? hubNoticesOf(change) : []),
    ...(plan.indexnow ? addressNoticesOf(change) : []),
  ];
}

/** What the ledger shows a change with: its release, or its one post. */
function subjectOf({ posts, events }: CausingChange): string {
  const release = events.find(({ subject }) => subject.startsWith('release:'));
  if (release) return release.subject;
  const [post, ...others] = posts;
  return post && others.length === 0 ? `post:${post.id}` : 'pages';
}

function hubNoticesOf(change: CausingChange & { now: Date }): NewEffect[] {
  const details = changedFeeds(change);
  if (details.listedIn.length === 0) return [];
  const event = 'feeds.changed';
  return [
    { kind: 'websub', event, subject: subjectOf(change), receiver: 'websub', details, dueAt: change.now },
  ];
}

function addressNoticesOf(change: CausingChange & { now: Date }): NewEffect[] {
  const event = 'addresses.changed';
  return inChunks(changedAddresses(change), ADDRESSES_MAX).map((paths) => ({
    ...{ kind: 'indexnow', event, subject: subjectOf(change), receiver: 'indexnow' },
    details: { paths },
    dueAt: change.now,
  }));
}

/**
 * Two purges: the second one also reaches answers that were read before the change and kept after the first purge, and
 * those of other processes, which on PostgreSQL may be a second behind.
 */
function purgesOf(change: CausingChange & { now: Date }): NewEffect[] {
  const { keys, now } = change;
  if (keys.length === 0) return [];
  return [0, SECOND_PURGE_MS].map((wait) => ({
    kind: 'purge',
    event: 'cache.purge',
    subject: subjectOf(change),
    receiver: 'purge',
    details: { keys: keys.length > PURGED_KEYS_MAX ? [EVERY_PAGE] : keys },
    dueAt: new Date(now.getTime() + wait),
  }));
}

async function readState(tx: Transaction): Promise<State> {
  const state = await tx.siteState.findUnique({ where: { id: 1 } });
  return state ?? { contentVersion: 0, effectPlan: '{}' };
}

/** Derives the plan from what is switched on. Call it in the transaction that changes that. */
export async function updatePlan(tx: Transaction, now: Date): Promise<void> {
  const webhooks = await tx.webhook.findMany({
    select: { id: true, events: true, pausedAt: true },
    orderBy: { id: 'asc' },
  });
  const { cache_keys, purge_form, purge_url, websub_hub, indexnow } = await readSettings({ db: tx });
  const plan: EffectPlan = {
    purges: cache_keys && purge_form !== 'off' && purge_url !== '',
    websub: websub_hub !== '',
    indexnow,
    webhooks: webhooks.map(({ id, events, pausedAt }) => ({
      id,
      events: JSON.parse(events) as string[],
      isPaused: pausedAt !== null,
    })),
  };
  const isEmpty = webhooks.length === 0 && !plan.purges && !plan.websub && !plan.indexnow;
  const effectPlan = isEmpty ? '{}' : JSON.stringify(plan);
  await tx.siteState.upsert({
    where: { id: 1 },
    create: { id: 1, effectPlan, updatedAt: now },
    update: { effectPlan },
  });
}
