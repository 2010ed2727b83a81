import type { AdminContext } from '#app/admin/screen.ts';
import { requirePostAccess } from '#app/auth/post-access.ts';
import { mayActOnPost, type Actor, type OwnedPost, type PostAction } from '#app/auth/roles.ts';
import { AppError, fieldError, type FieldErrors } from '#app/platform/errors.ts';
import { secondOccurrence } from '#app/platform/time-zone.ts';
import { editFormSchema, postFormSchema, type editFormIntents } from '#app/posts/post-form.ts';
import type { PostFields } from '#app/posts/fields.ts';

/** A submitted post form with its intent. */
export type EditorIntent = (typeof editFormIntents)[number];

/** A submitted post form after its schema. */
export interface PostForm {
  fields: Partial<PostFields>;
  intent: EditorIntent;
  version: number | undefined;
  /** The times of which the form says which of two equal local times it means. */
  exactTimes: ReadonlySet<string>;
  takeOverSlug: boolean;
  /** When a scheduled update is to be applied. */
  changeAt: Date | null;
  /** When the newest unsaved changes were typed that the fields hold. */
  autosavedAt: Date | undefined;
  /** The release that the fields go into, or that a draft is published with. */
  releaseId: string | null;
  /** What to do with unsaved changes that the fields do not hold. */
  copy: 'use' | 'drop' | undefined;
}

/**
 * Reads the form of a new post, or of one that exists.
 * @throws AppError `invalid_input` with an error beside each wrong field.
 */
export function parsePostForm(
  values: Readonly<Record<string, string>>,
  { timeZone }: Pick<AdminContext, 'timeZone'>,
  kind: 'new' | 'edit',
): PostForm {
  const schema = kind === 'new' ? postFormSchema(timeZone) : editFormSchema(timeZone);
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const fields: FieldErrors = {};
    for (const issue of parsed.error.issues) (fields[String(issue.path[0])] ??= []).push(issue.message);
    throw new AppError('invalid_input', 'There is a problem with some fields.', { fields });
  }
  const { intent, version, takeOverSlug, autosavedAt, copy, releaseId = null, ...rest } = parsed.data;
  const {
    changeAt: firstChangeAt = null,
    changeAtOccurrence,
    publishedAtOccurrence,
    archiveAtOccurrence,
    ...fields
  } = { changeAt: null, changeAtOccurrence: undefined, ...rest };
  const meant = <Time extends Date | null | undefined>(time: Time, occurrence: string | undefined) =>
    chosenOccurrence(time, occurrence, timeZone);
  if (fields.publishedAt) fields.publishedAt = meant(fields.publishedAt, publishedAtOccurrence);
  if (fields.archiveAt) fields.archiveAt = meant(fields.archiveAt, archiveAtOccurrence);
  const exactTimes = new Set([
    ...(publishedAtOccurrence ? ['publishedAt'] : []),
    ...(archiveAtOccurrence ? ['archiveAt'] : []),
  ]);
  const takesOver = takeOverSlug === 'yes';
  return {
    fields,
    intent,
    version,
    exactTimes,
    takeOverSlug: takesOver,
    changeAt: meant(firstChangeAt, changeAtOccurrence) ?? null,
    autosavedAt,
    releaseId,
    copy,
  };
}

/** The second of two instants with this local time where a form asks for that one. */
export function chosenOccurrence<Time extends Date | null | undefined>(
  time: Time,
  occurrence: string | undefined,
  timeZone: string,
): Time | Date {
  return (time && occurrence === 'second' && secondOccurrence(time, timeZone)) || time;
}

/** How a form shows which of two equal local times is meant; `first` also for times that occur once. */
export function occurrenceOf(time: Date | null, timeZone: string): 'first' | 'second' {
  const second = time && secondOccurrence(time, timeZone);
  return second && time >= second ? 'second' : 'first';
}

/** Which permission each button needs; the live preview and the rest need none of their own. */
const actionOf: Record<EditorIntent, PostAction> = {
  save: 'save',
  autosave: 'save',
  draft: 'draft',
  schedule: 'schedule',
  publish: 'publish',
  archive: 'archive',
  prepare: 'schedule',
  'cancel-change': 'schedule',
  preview: 'preview',
  delete: 'delete',
};

/**
 * The part of a form that this person may send. Without the right to publish, the times are not changed, since they
 * decide what readers see when.
 * @param post null: one that does not exist yet
 * @throws AppError `forbidden`.
 */
export function withinRights(form: PostForm, user: Actor, post: OwnedPost): PostForm {
  requirePostAccess(user, post, actionOf[form.intent]);
  if (mayActOnPost(user, post, 'publish')) return form;
  const { publishedAt: _publishedAt, archiveAt: _archiveAt, ...fields } = form.fields;
  return { ...form, fields, takeOverSlug: false };
}

/** The refusal of a form without the version that its editor had open: a save could overwrite newer changes. */
export function missingVersion(): AppError {
  return fieldError('version', 'The form does not say which version you had open. Reload the page.');
}
