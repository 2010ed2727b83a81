import * as z from 'zod';
import { parseJson } from '#app/platform/json.ts';

/** What an effect does outside (contract, section 13). */
export const effectKinds = ['webhook', 'mail', 'purge', 'websub', 'indexnow'] as const;
export type EffectKind = (typeof effectKinds)[number];

export const effectStates = ['waiting', 'running', 'done', 'failed', 'dead', 'cancelled', 'held'] as const;
export type EffectState = (typeof effectStates)[number];

/** States in which something has still to happen. */
export const openStates: EffectState[] = ['waiting', 'failed', 'running'];

/** Every type of event that a webhook can subscribe to. */
export const eventTypes = [
  'post.published',
  'post.updated',
  'post.unpublished',
  'page.published',
  'page.updated',
  'page.unpublished',
  'release.published',
  'release.rolled_back',
  'settings.changed',
  'term.changed',
] as const;
export type EventType = (typeof eventTypes)[number];

const effectPlan = z.object({
  webhooks: z
    .array(z.object({ id: z.string(), events: z.array(z.string()), isPaused: z.boolean() }))
    .default([]),
  /** Whether caches in front are purged. */
  purges: z.boolean().default(false),
  /** Whether a hub of the feeds is told, and search engines. */
  websub: z.boolean().default(false),
  indexnow: z.boolean().default(false),
  newsletter: z.boolean().default(false),
});

/**
 * Which effects changes cause. `site_state` holds it, which every public change writes and reads anyway: where nothing is
 * switched on, a change needs no further query.
 */
export type EffectPlan = z.output<typeof effectPlan>;

/** Reads the column; a plan that cannot be read is empty. */
export function readPlan(text: string): EffectPlan {
  return effectPlan.safeParse(parseJson(text)).data ?? effectPlan.parse({});
}

/** The due time of effects of a paused receiver: they wait until somebody resumes it. */
export const NEVER = new Date('9999-12-31T00:00:00.000Z');
