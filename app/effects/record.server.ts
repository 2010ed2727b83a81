import { recordIssues } from '#app/newsletter/issues.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { EVERY_PAGE } from '#app/platform/http/page-keys.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import type { Clocked } from '#app/platform/services.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import {
  changedAddresses,
  changedFeeds,
  eventsOf,
  type CausingChange,
  NEVER,
  readPlan,
  type EffectPlan,
} from './events.ts';
import { insertEffects, type NewEffect } from './outbox.server.ts';

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

/**
 * Writes the effects of a change, in its transaction. The content version is the order of a post's events: only one
 * change at a time raises it, and commits before the next one does.
 * @param state absent if the change wrote none
 * @returns their number
 */
export async function recordEffects(
  app: Clocked,
  tx: Transaction,
  change: CausingChange & { now: Date },
  state: State | null,
): Promise<number> {
  if (state === null && change.events.length === 0) return 0;
  const { effectPlan, contentVersion } = state ?? (await readState(tx));
  if (effectPlan === '{}') return 0;
  const plan = readPlan(effectPlan);
  const effects = effectsOf(plan, change);
  if (plan.newsletter) effects.push(...(await recordIssues(app, tx, change)));
  if (effects.length === 0) return 0;
  await insertEffects(app, tx, effects, { sequence: contentVersion, now: change.now });
  return effects.length;
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
  const { cache_keys, purge_form, purge_url, websub_hub, indexnow, newsletter_enabled } = await readSettings({
    db: tx,
  });
  const plan: EffectPlan = {
    newsletter: newsletter_enabled,
    purges: cache_keys && purge_form !== 'off' && purge_url !== '',
    websub: websub_hub !== '',
    indexnow,
    webhooks: webhooks.map(({ id, events, pausedAt }) => ({
      id,
      events: JSON.parse(events) as string[],
      isPaused: pausedAt !== null,
    })),
  };
  const isEmpty = webhooks.length === 0 && !plan.purges && !plan.websub && !plan.indexnow && !plan.newsletter;
  const effectPlan = isEmpty ? '{}' : JSON.stringify(plan);
  await tx.siteState.upsert({
    where: { id: 1 },
    create: { id: 1, effectPlan, updatedAt: now },
    update: { effectPlan },
  });
}
