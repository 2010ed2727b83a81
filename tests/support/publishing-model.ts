// A small model of the rules for one post: the effect of each operation.

/** Only whether a time has passed matters. */
type Time = 'past' | 'future';

/** The parts of a post, and of its related rows, that an operation can change. */
export interface ModelPost {
  status: 'draft' | 'scheduled' | 'published' | 'archived';
  title: string;
  slug: string;
  version: number;
  publishedAt: Time | null;
  archiveAt: Time | null;
  /** A scheduled update's title and time. */
  prepared: { title: string; at: Time } | null;
  hasBeenPublic: boolean;
  /** Old slugs that redirect to the post, in order. */
  redirects: string[];
}

/** Null: deleted. */
export type ModelState = ModelPost | null;

/** Without `version`, it overwrites any state. */
export type Operation =
  | { do: 'trigger' }
  | { do: 'save' | 'publish' | 'draft' | 'archive'; version?: number; title?: string; slug?: string }
  | { do: 'schedule'; version?: number }
  | { do: 'prepare'; version: number; title: string }
  | { do: 'cancel' }
  | { do: 'delete'; version?: number };

/** How an operation ended: `ok`, the code of its error, or what a trigger reported. */
export type Outcome = 'ok' | 'conflict' | 'not_found' | 'invalid_input' | TriggerOutcome;

/** Of this one post. */
export interface TriggerOutcome {
  published: boolean;
  affectedSlugs: string[];
}

export interface Ending {
  state: ModelState;
  /** By the operations' order in the list. */
  outcomes: Outcome[];
}

/** Every ending that some order of the operations has; a trigger is three steps, anything else is one. */
export function legalEndings(start: ModelPost, operations: Operation[]): Ending[] {
  const endings = new Map<string, Ending>();
  const seen = new Set<string>();
  const walk = (state: ModelState, done: number[], outcomes: Outcome[]) => {
    const key = JSON.stringify([state, done, outcomes]);
    if (seen.has(key)) return;
    seen.add(key);
    let isOver = true;
    operations.forEach((operation, index) => {
      if (done[index] === stepsOf(operation)) return;
      isOver = false;
      const { state: next, outcome } = step(state, operation, done[index]!, outcomes[index]!);
      walk(next, done.with(index, done[index]! + 1), outcomes.with(index, outcome));
    });
    if (isOver) endings.set(key, { state, outcomes });
  };
  const nothing: TriggerOutcome = { published: false, affectedSlugs: [] };
  walk(
    start,
    operations.map(() => 0),
    operations.map((operation) => (operation.do === 'trigger' ? nothing : 'ok')),
  );
  return [...endings.values()];
}

interface Step {
  state: ModelState;
  outcome: Outcome;
}

const triggerSteps = [publishDue, applyScheduledUpdate, archiveDue];

function stepsOf(operation: Operation): number {
  return operation.do === 'trigger' ? triggerSteps.length : 1;
}

function step(state: ModelState, operation: Operation, done: number, outcome: Outcome): Step {
  if (operation.do === 'trigger') return triggerSteps[done]!(state, outcome as TriggerOutcome);
  if (!state) return { state, outcome: 'not_found' };
  if ('version' in operation && operation.version !== undefined && operation.version !== state.version)
    return { state, outcome: 'conflict' };
  const next = operation.do === 'delete' ? null : edited({ ...state, version: state.version + 1 }, operation);
  return typeof next === 'string' ? { state, outcome: next } : { state: next, outcome: 'ok' };
}

function publishDue(state: ModelState, report: TriggerOutcome): Step {
  if (state?.status !== 'scheduled' || state.publishedAt !== 'past') return { state, outcome: report };
  const next: ModelPost = { ...state, status: 'published', hasBeenPublic: true, version: state.version + 1 };
  return { state: next, outcome: { published: true, affectedSlugs: named(report, state.slug) } };
}

function applyScheduledUpdate(state: ModelState, report: TriggerOutcome): Step {
  if (state?.prepared?.at !== 'past') return { state, outcome: report };
  const next = { ...state, title: state.prepared.title, prepared: null, version: state.version + 1 };
  return { state: next, outcome: { ...report, affectedSlugs: named(report, state.slug) } };
}

function archiveDue(state: ModelState, report: TriggerOutcome): Step {
  if (state?.status !== 'published' || state.archiveAt !== 'past') return { state, outcome: report };
  const next: ModelPost = {
    ...state,
    status: 'archived',
    archiveAt: null,
    prepared: null,
    version: state.version + 1,
  };
  return { state: next, outcome: { ...report, affectedSlugs: named(report, state.slug) } };
}

function named({ affectedSlugs }: TriggerOutcome, slug: string): string[] {
  return [...new Set([...affectedSlugs, slug])];
}

type Edit = Exclude<Operation, { do: 'trigger' } | { do: 'delete' }>;

/** The post after an edit, or why it is refused. */
function edited(post: ModelPost, edit: Edit): ModelPost | 'conflict' | 'not_found' | 'invalid_input' {
  const after = changed(post, edit);
  if (typeof after === 'string' || after.status !== 'published' || edit.do === 'prepare') return after;
  const { title, prepared } = after;
  // A scheduled update that changes the same title is a conflict, to be settled at once.
  return prepared && title !== post.title && title !== prepared.title ? 'conflict' : after;
}

function changed(post: ModelPost, edit: Edit): ModelPost | 'not_found' | 'invalid_input' {
  switch (edit.do) {
    case 'cancel':
      return post.prepared ? { ...post, prepared: null } : 'not_found';
    case 'prepare':
      // A change after the archiving could never be seen.
      if (post.status !== 'published' || post.archiveAt === 'past') return 'invalid_input';
      return { ...post, prepared: { title: edit.title, at: 'future' } };
    case 'schedule':
      if (post.archiveAt === 'past') return 'invalid_input';
      return moved({ ...post, publishedAt: 'future' }, 'scheduled');
    case 'archive':
      return moved(renamed(post, edit), 'archived');
    case 'draft':
      return moved(renamed(post, edit), 'draft');
    case 'publish':
      // Only a time that waits for its trigger may lie in the past.
      if (post.archiveAt === 'past' && post.status !== 'published') return 'invalid_input';
      return moved(renamed({ ...post, publishedAt: 'past' }, edit), 'published');
    case 'save':
      if (post.status === 'scheduled' && post.publishedAt === 'past') return 'invalid_input';
      return moved(renamed(post, edit), post.status);
  }
}

function renamed(post: ModelPost, { title, slug }: { title?: string; slug?: string }): ModelPost {
  const named = { ...post, title: title ?? post.title };
  if (slug === undefined || slug === post.slug) return named;
  const old = post.hasBeenPublic ? [post.slug] : [];
  return { ...named, slug, redirects: [...post.redirects.filter((path) => path !== slug), ...old].sort() };
}

function moved(post: ModelPost, status: ModelPost['status']): ModelPost {
  return {
    ...post,
    status,
    archiveAt: status === 'archived' ? null : post.archiveAt,
    prepared: status === 'published' ? post.prepared : null,
    hasBeenPublic: post.hasBeenPublic || status === 'published',
  };
}
