import * as z from 'zod';
import type { PageKey } from '#app/platform/http/page-keys.ts';
import { parseJson } from '#app/platform/json.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { encodePath } from '#app/posts/paths.ts';

/** What an effect does outside (contract, section 13). */
export const effectKinds = ['webhook', 'mail', 'purge', 'websub', 'indexnow'] as const;
export type EffectKind = (typeof effectKinds)[number];

export const effectStates = ['waiting', 'running', 'done', 'failed', 'dead', 'cancelled', 'held'] as const;
export type EffectState = (typeof effectStates)[number];

/** States in which something has still to happen. */
export const openStates: EffectState[] = ['waiting', 'failed', 'running'];

/** Every type of event that a webhook can subscribe to. */
export const eventTypes = [
  ...(['post.published', 'post.updated', 'post.unpublished'] as const),
  ...(['page.published', 'page.updated', 'page.unpublished'] as const),
  ...(['release.published', 'release.rolled_back', 'settings.changed', 'term.changed'] as const),
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

/** What other pages show of a public post; null: it is not public; `unknown`: its former state was not stored. */
type Shown =
  | { path: string; listedIn: string; categoryId: string | null; tagIds: readonly string[] }
  | null
  | 'unknown';

/** What a content write changed, as far as effects depend on it. */
export interface CausingChange {
  posts: readonly { id: string; before: Shown; after: Shown }[];
  /** The posts whose own rows were written. Others only show a changed name, such as that of a tag. */
  written: ReadonlySet<string>;
  /** What the change recorded of settings, terms and the like. */
  texts: readonly { kind: string; subjectId: string; termKind?: string }[];
  /** The page keys of what the change made stale. */
  keys: readonly PageKey[];
  /** What the change says itself, such as `release.published`, each with the id or key that it is about. */
  events: readonly { event: EventType; subject: string }[];
}

/** An event outside, with ids alone: what a message says is read when it is sent. */
interface CausedEvent {
  event: EventType;
  /** `post:<id>`, `release:<id>`, `category:<id>`, `tag:<id>` or `settings`. */
  subject: string;
  details: { path?: string; keys?: string[] };
}

/** The one table that maps changes to events. */
export function eventsOf({ posts, written, texts, events }: CausingChange): CausedEvent[] {
  const ofPosts = posts.flatMap(({ id, before, after }) => {
    const shown = after ?? before;
    if (shown === null || shown === 'unknown') return [];
    const happened =
      after === null ? 'unpublished' : before === null ? 'published' : written.has(id) ? 'updated' : null;
    if (happened === null) return [];
    const type = shown.listedIn === PAGES_LIST ? 'page' : 'post';
    // A post that is no longer public keeps no other trace of its address.
    const details = after === null ? { path: encodePath(shown.path) } : {};
    return [{ event: `${type}.${happened}` as const, subject: `post:${id}`, details }];
  });
  const terms = new Set(texts.flatMap(termOf));
  const settings = events.flatMap(({ event, subject }) => (event === 'settings.changed' ? [subject] : []));
  const others = events.filter(({ event }) => event !== 'settings.changed');
  return [
    ...ofPosts,
    ...[...terms].map((subject) => ({ event: 'term.changed' as const, subject, details: {} })),
    ...others.map(({ event, subject }) => ({ event, subject, details: {} })),
    ...(settings.length > 0
      ? [
          {
            event: 'settings.changed' as const,
            subject: 'settings',
            details: { keys: [...new Set(settings)].sort() },
          },
        ]
      : []),
  ];
}

/** The lists and terms whose feeds a change concerns. */
export function changedFeeds({ posts, written }: CausingChange): { listedIn: string[]; terms: string[] } {
  const shown = posts
    .filter((post) => isOwnChange(post, written))
    .flatMap(({ before, after }) => [before, after])
    .filter((each) => each !== null && each !== 'unknown')
    .filter(({ listedIn }) => listedIn !== PAGES_LIST);
  const terms = shown.flatMap(({ categoryId, tagIds }) => (categoryId ? [categoryId, ...tagIds] : tagIds));
  return { listedIn: unique(shown.map(({ listedIn }) => listedIn)), terms: unique(terms) };
}

/** The addresses at which a change put something else, also those where nothing is any more. */
export function changedAddresses({ posts, written }: CausingChange): string[] {
  const shown = posts
    .filter((post) => isOwnChange(post, written))
    .flatMap(({ before, after }) => [before, after])
    .filter((each) => each !== null && each !== 'unknown');
  return unique(shown.map(({ path }) => encodePath(path)));
}

/** False for a post that only shows a changed name of something else. */
function isOwnChange({ id, before, after }: CausingChange['posts'][number], written: ReadonlySet<string>) {
  return before === null || after === null || written.has(id);
}

const unique = (values: readonly string[]) => [...new Set(values)];

/** The category or tag that a recorded change is about. */
function termOf({ kind, subjectId, termKind }: CausingChange['texts'][number]): string[] {
  if (kind === 'category' || kind === 'tag') return [`${kind}:${subjectId}`];
  if (kind === 'merged_tag') return [`tag:${subjectId}`];
  return termKind === undefined ? [] : [`${termKind}:${subjectId}`];
}
