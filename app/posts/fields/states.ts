export const postStatuses = ['draft', 'scheduled', 'published', 'archived'] as const;
export type PostStatus = (typeof postStatuses)[number];

/** The state of a post in the trash. No form asks for it, and no list, count or action includes such a post. */
export const TRASHED = 'trashed';

/** The states of rows: also that of a post in the trash. */
export const storedStatuses = [...postStatuses, TRASHED] as const;
export type StoredStatus = (typeof storedStatuses)[number];

/** The condition for posts that are not in the trash. */
export const notTrashed = { status: { not: TRASHED } } as const;

/** What a form, a command or an import may ask of a post's state. */
export const stateIntents = ['save', 'draft', 'schedule', 'publish', 'archive'] as const;
export type StateIntent = (typeof stateIntents)[number];

/** The state after each intent, whatever the state before; `save` keeps the state. */
const stateAfter: Record<Exclude<StateIntent, 'save'>, PostStatus> = {
  draft: 'draft',
  schedule: 'scheduled',
  publish: 'published',
  archive: 'archived',
};

/** The intent that results in each state. */
export const intentFor: Record<PostStatus, StateIntent> = {
  draft: 'draft',
  scheduled: 'schedule',
  published: 'publish',
  archived: 'archive',
};

/** The state after an intent. A new post starts as a draft; the trigger publishes what `isDue`. */
export function nextStatus(from: StoredStatus, intent: StateIntent): PostStatus {
  if (intent !== 'save') return stateAfter[intent];
  if (from === TRASHED) throw new Error('nextStatus: a post in the trash is restored, not saved');
  return from;
}

/** The title of a draft that autosave makes before anybody has typed one. */
export const UNTITLED = 'Untitled';

/** True while nobody has typed the title of a draft that autosave has made: its slug then still follows the title. */
export function isUntitled(
  post: { status: string; slugFollowsTitle: boolean; hasBeenPublic: boolean },
  { title }: { title: string },
): boolean {
  return post.status === 'draft' && post.slugFollowsTitle && !post.hasBeenPublic && title === UNTITLED;
}

/** True when autosave writes the post itself: neither readers nor a schedule depend on it. */
export function isAutosavedInPlace(status: string): boolean {
  return status === 'draft';
}

/**
 * The release for which the text of a post's form is; null: for the post itself. Only a published post has a text of
 * its own in a release. Any other is published with the release as it is.
 */
function releaseOfText(status: string | undefined, releaseId: string | null | undefined): string | null {
  return (status === 'published' && releaseId) || null;
}

/** Names the text of a scheduled update where other texts that wait for their time are named by their release. */
export const SCHEDULED_TEXT = 'scheduled';

/** Which of the two texts of a published post with a scheduled update a form has. */
export const editedTexts = ['live', 'scheduled'] as const;
export type EditedText = (typeof editedTexts)[number];

/** The text for which a post's form is, as `releaseOfText`; also that of its scheduled update. */
export function nameOfText(
  status: string | undefined,
  { edit, releaseId }: { edit: string | undefined; releaseId: string | null | undefined },
): string | null {
  return edit === SCHEDULED_TEXT ? SCHEDULED_TEXT : releaseOfText(status, releaseId);
}

/** A post is due when it is scheduled and its time has come (specification, section 3). */
export function isDue(post: { status: string; publishedAt: Date | null }, now: Date): boolean {
  return post.status === 'scheduled' && post.publishedAt !== null && post.publishedAt <= now;
}

/** `isDue` as a condition for the database. */
export function dueForPublication(now: Date) {
  return { status: 'scheduled', publishedAt: { lte: now } } as const;
}

/** The condition for a published post whose archive time has come. */
export function dueForArchive(now: Date) {
  return { status: 'published', archiveAt: { lte: now } } as const;
}

export type PublicationTimeProblem = 'missing' | 'not_future' | 'future';

/**
 * The publication time of a post after an intent, or what is wrong with it. Scheduling requires a time later than now.
 * Publishing replaces an empty or future time by the present second, and keeps a past one. A post that stays published
 * cannot move into the future; it may be there already, where a server whose clock was ahead has published it.
 */
export function publicationTime(
  from: StoredStatus,
  intent: StateIntent,
  requested: Date | null,
  current: Date | null,
  now: Date,
): { ok: true; publishedAt: Date | null } | { ok: false; problem: PublicationTimeProblem } {
  const to = nextStatus(from, intent);
  if (to === 'scheduled') {
    if (!requested) return { ok: false, problem: 'missing' };
    return requested > now ? { ok: true, publishedAt: requested } : { ok: false, problem: 'not_future' };
  }
  if (to !== 'published') return { ok: true, publishedAt: requested };
  if (intent === 'publish')
    return { ok: true, publishedAt: requested && requested <= now ? requested : wholeSecond(now) };
  const isUnchanged = from === to && requested?.getTime() === current?.getTime();
  if (requested && requested > now && !isUnchanged) return { ok: false, problem: 'future' };
  return { ok: true, publishedAt: requested ?? current ?? wholeSecond(now) };
}

/**
 * When a post is archived automatically, or what is wrong with that time: it must be after now and after the
 * publication. An archived post has no such time. A time that is unchanged since it was valid, and on which the trigger
 * has not acted yet, does not block other changes.
 */
export function archiveTime(
  post: { from: StoredStatus; to: PostStatus; publishedAt: Date | null; archiveAt: Date | null },
  requested: Date | null,
  now: Date,
): { ok: true; archiveAt: Date | null } | { ok: false; problem: 'not_future' | 'before_publication' } {
  if (!requested || post.to === 'archived') return { ok: true, archiveAt: null };
  if (post.to === 'draft') return { ok: true, archiveAt: requested };
  const isUnchanged = post.from === post.to && requested.getTime() === post.archiveAt?.getTime();
  if (requested <= now && !isUnchanged) return { ok: false, problem: 'not_future' };
  if (post.publishedAt && requested <= post.publishedAt) return { ok: false, problem: 'before_publication' };
  return { ok: true, archiveAt: requested };
}

/**
 * Since when readers see the text of a post that somebody publishes for the first time: since its publication time. A
 * post that is entered with an old date was not updated by that.
 */
export function firstSeenAt(publishedAt: Date | null, now: Date): Date {
  return publishedAt && publishedAt < now ? publishedAt : now;
}

/** The instant without its milliseconds: never later than it was. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000);
}
