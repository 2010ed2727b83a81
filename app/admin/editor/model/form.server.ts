import * as z from 'zod';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import {
  requirePostAccess,
  mayActOnPost,
  type Actor,
  type OwnedPost,
  type PostAction,
} from '#app/people/roles.ts';
import { AppError, fieldError, type FieldErrors } from '#app/platform/errors.ts';
import { messageOfIssue } from '#app/platform/message.ts';
import { secondOccurrence } from '#app/platform/time/time-zone.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import {
  editFormSchema,
  postFieldsSchema,
  postFormSchema,
  type editFormIntents,
} from '#app/posts/fields/form.ts';
import { SCHEDULED_TEXT, type EditedText } from '#app/posts/fields/states.ts';
import { SCHEDULED_FIELD } from './form-fields.ts';

export type EditorIntent = (typeof editFormIntents)[number];

export interface PostForm {
  fields: Partial<PostFields>;
  intent: EditorIntent;
  version: number | undefined;
  /** The names of the times for which the form says which of two equal local times is meant. */
  exactTimes: ReadonlySet<string>;
  takeOverSlug: boolean;
  /** The text that the form has, if the post has a scheduled update. */
  edit: EditedText;
  /** What the scheduled update gets where the form changes the same text: the choice after a conflict. */
  scheduledFields?: Partial<PostFields>;
  changeAt: Date | null;
  /** The time of the newest unsaved changes that the fields include. */
  autosavedAt: Date | undefined;
  /** Digests of the texts that the page has sent without an answer (`digestOfSent`). */
  sent: string[];
  /** The release to which the fields are saved, or with which a draft is published. */
  releaseId: string | null;
  /** The text version that the form shows (`textVersionOf`); absent for a script. */
  textVersion?: string;
  /** What to do with unsaved changes that the fields do not include. */
  copy: 'use' | 'drop' | undefined;
  /** For an autosave: the errors of the fields that were left out. */
  leftOut?: FieldErrors;
}

/**
 * Parses the form of a new or existing post.
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
    const fields = fieldErrorsOf(parsed.error);
    throw new AppError('invalid_input', 'There is a problem with some fields.', { fields });
  }
  const {
    intent,
    version,
    takeOverSlug,
    autosavedAt,
    sent = '',
    copy,
    releaseId = null,
    ...rest
  } = parsed.data;
  const {
    changeAt: firstChangeAt = null,
    changeAtOccurrence,
    publishedAtOccurrence,
    archiveAtOccurrence,
    releaseText: textVersion,
    edit,
    ...fields
  } = { changeAt: null, changeAtOccurrence: undefined, releaseText: undefined, edit: undefined, ...rest };
  const meant = <Time extends Date | null | undefined>(time: Time, occurrence: string | undefined) =>
    chosenOccurrence(time, occurrence, timeZone);
  if (fields.publishedAt) fields.publishedAt = meant(fields.publishedAt, publishedAtOccurrence);
  if (fields.archiveAt) fields.archiveAt = meant(fields.archiveAt, archiveAtOccurrence);
  const exactTimes = new Set([
    ...(publishedAtOccurrence ? ['publishedAt'] : []),
    ...(archiveAtOccurrence ? ['archiveAt'] : []),
  ]);
  const takesOver = takeOverSlug === 'yes';
  const isScheduled = edit === SCHEDULED_TEXT;
  return {
    fields,
    intent,
    edit: edit || 'live',
    scheduledFields: isScheduled ? undefined : parseScheduledFields(values, timeZone),
    version,
    exactTimes,
    takeOverSlug: takesOver,
    changeAt: meant(firstChangeAt, changeAtOccurrence) ?? null,
    autosavedAt,
    sent: sent.split(/\r?\n/).filter(Boolean),
    releaseId: isScheduled ? null : releaseId,
    textVersion: isScheduled ? undefined : textVersion,
    copy,
  };
}

/** @throws AppError `invalid_input` */
function parseScheduledFields(
  values: Readonly<Record<string, string>>,
  timeZone: string,
): Partial<PostFields> | undefined {
  const named = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(SCHEDULED_FIELD) ? [[name.slice(SCHEDULED_FIELD.length), value] as const] : [],
  );
  if (named.length === 0) return undefined;
  const parsed = postFieldsSchema(timeZone).safeParse(Object.fromEntries(named));
  if (parsed.success) return parsed.data;
  const fields = fieldErrorsOf(parsed.error, SCHEDULED_FIELD);
  throw new AppError('invalid_input', 'There is a problem with some fields.', { fields });
}

function fieldErrorsOf({ issues }: z.ZodError, prefix = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const issue of issues) (fields[prefix + String(issue.path[0])] ??= []).push(messageOfIssue(issue));
  return fields;
}

/** The second of two instants with this local time if the form asks for the second, else `time`. */
export function chosenOccurrence<Time extends Date | null | undefined>(
  time: Time,
  occurrence: string | undefined,
  timeZone: string,
): Time | Date {
  return (time && occurrence === 'second' && secondOccurrence(time, timeZone)) || time;
}

/** Which of two equal local times the times of a post are, as values of its form. */
export function occurrencesOf(
  { publishedAt, archiveAt }: Pick<PostFields, 'publishedAt' | 'archiveAt'>,
  timeZone: string,
) {
  return {
    publishedAtOccurrence: occurrenceOf(publishedAt, timeZone),
    archiveAtOccurrence: occurrenceOf(archiveAt, timeZone),
  };
}

/** Which of two equal local times a time is; `first` also for times that occur once. */
export function occurrenceOf(time: Date | null, timeZone: string): 'first' | 'second' {
  const second = time && secondOccurrence(time, timeZone);
  return second && time >= second ? 'second' : 'first';
}

/** The action for which each button needs a permission. */
const actionOf: Record<EditorIntent, PostAction> = {
  save: 'save',
  autosave: 'save',
  draft: 'draft',
  schedule: 'schedule',
  publish: 'publish',
  archive: 'archive',
  prepare: 'schedule',
  'cancel-change': 'schedule',
  'send-test': 'publish',
  preview: 'preview',
  delete: 'delete',
};

/**
 * The part of a form that the user may change. Without the right to publish that excludes the times, which decide when
 * readers see the post.
 * @param post null: a new post
 * @throws AppError `forbidden`.
 */
export function withinRights(form: PostForm, user: Actor, post: OwnedPost): PostForm {
  requirePostAccess(user, post, form.edit === SCHEDULED_TEXT ? 'schedule' : actionOf[form.intent]);
  if (mayActOnPost(user, post, 'publish')) return form;
  const { publishedAt: _publishedAt, archiveAt: _archiveAt, ...fields } = form.fields;
  return { ...form, fields, takeOverSlug: false };
}

/** The error for a form without the version that its editor had open: a save could overwrite newer changes. */
export function missingVersion(): AppError {
  return fieldError('version', 'The form does not say which version you had open. Reload the page.');
}

/** The id that a form proposes for a new post; null if it is missing or not a UUIDv7. */
export function readPostId(value: string | undefined): string | null {
  return z.uuidv7().safeParse(value).data?.toLowerCase() ?? null;
}
