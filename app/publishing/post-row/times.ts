import { fieldError } from '#app/platform/errors.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import {
  archiveTime,
  publicationTime,
  type PostStatus,
  type StateIntent,
  type StoredStatus,
} from '#app/posts/fields/states.ts';

/** Names of times that are exact although a clock change repeats their hour. */
export type ExactTimes = ReadonlySet<string>;

const none: ExactTimes = new Set();

/** What an editor has typed in a post's form. */
export interface TypedFields {
  postId: string;
  /** The version that the editor had open. */
  version: number;
  /** The new values; absent fields stay unchanged. */
  fields: Partial<PostFields>;
  exactTimes?: ExactTimes;
  editorId: string | null;
  /** When the newest unsaved changes in `fields` were typed. */
  includedUntil?: Date;
}

/** A change of a post's state, with the times before it and the requested times. */
export interface TimedStep {
  from: StoredStatus;
  to: PostStatus;
  intent: StateIntent;
  before: Pick<PostFields, 'publishedAt' | 'archiveAt'>;
  requested: Pick<PostFields, 'publishedAt' | 'archiveAt'>;
  now: Date;
}

/**
 * The times of a post after a step.
 * @throws AppError `invalid_input` beside `publishedAt` or `archiveAt`.
 */
export function resolveTimes(step: TimedStep): Pick<PostFields, 'publishedAt' | 'archiveAt'> {
  const { from, to, intent, before, requested, now } = step;
  const publication = publicationTime(from, intent, requested.publishedAt, before.publishedAt, now);
  if (!publication.ok)
    throw fieldError(
      'publishedAt',
      publication.problem === 'future'
        ? 'A published post cannot have a time in the future. Use “Schedule” instead.'
        : 'Publication time must be in the future.',
    );
  const { publishedAt } = publication;
  const archive = archiveTime(
    { from, to, publishedAt, archiveAt: before.archiveAt },
    requested.archiveAt,
    now,
  );
  if (!archive.ok)
    throw fieldError(
      'archiveAt',
      archive.problem === 'not_future'
        ? 'Archive time must be in the future.'
        : 'Archive time must be after the publication time.',
    );
  return { publishedAt, archiveAt: archive.archiveAt };
}

/**
 * The fields with the values of a form. A value that the form sends back unchanged keeps its precision: a form shows
 * times in minutes and normalises line ends, and slugs as today's rules have them.
 * @param exactTimes the times for which the form says which of two equal local times it means
 */
export function withFormValues(
  before: PostFields,
  typed: Partial<PostFields>,
  timeZone: string,
  exactTimes: ExactTimes = none,
): PostFields {
  const timeOf = (name: 'publishedAt' | 'archiveAt') =>
    storedIfUnchanged(
      typed[name],
      before[name],
      exactTimes.has(name) ? isSameMinute : showsTheSame(timeZone),
    );
  const [publishedAt, archiveAt] = [timeOf('publishedAt'), timeOf('archiveAt')];
  const body = isSameText(typed.body, before.body) ? before.body : (typed.body ?? before.body);
  const slug = typed.slug === undefined || typed.slug === toSlug(before.slug) ? before.slug : typed.slug;
  return { ...before, ...typed, body, slug, publishedAt, archiveAt };
}

function isSameText(typed: string | undefined, current: string): boolean {
  return typed !== undefined && current.includes('\r') && typed === current.replace(/\r\n?/g, '\n');
}

/**
 * The requested time, or the stored one if the form sent back the time that it had shown. A form shows minutes, and the
 * first of two equal local times, so an unchanged save would otherwise move the time.
 */
function storedIfUnchanged(
  requested: Date | null | undefined,
  current: Date | null,
  isShown: (a: Date, b: Date) => boolean,
): Date | null {
  if (requested === undefined) return current;
  return requested && current && isShown(requested, current) ? current : requested;
}

const showsTheSame = (timeZone: string) => (a: Date, b: Date) =>
  toLocalTime(a, timeZone) === toLocalTime(b, timeZone);

/** True for two times that a form shows alike. */
export function isSameMinute(a: Date, b: Date): boolean {
  return Math.floor(a.getTime() / 60_000) === Math.floor(b.getTime() / 60_000);
}
