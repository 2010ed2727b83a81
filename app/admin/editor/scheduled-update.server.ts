import type { AdminContext } from '#app/admin/screen.ts';
import { toLocalTime } from '#app/platform/time-zone.ts';
import { formValues } from '#app/posts/field-values.ts';
import { postFields, type PostFieldName, type PostFields } from '#app/posts/fields.ts';
import type { ScheduledUpdate } from '#app/posts/scheduled-update.server.ts';
import type { EditorPost } from './editor-data.server.ts';
import { occurrenceOf } from './editor-form.server.ts';

/** What the editor says about a scheduled update. @param options.withValues its fields too, for a script */
export function describeUpdate(
  { fields, changeAt, createdAt: savedAt }: ScheduledUpdate,
  live: PostFields,
  { adminContext, withValues }: { adminContext: AdminContext; withValues: boolean },
): EditorPost['change'] {
  if (!fields) return { at: changeAt, savedAt, fields: null };
  const labels = (Object.keys(fields) as PostFieldName[]).map((name) => postFields[name].label);
  if (!withValues) return { at: changeAt, savedAt, fields: labels };
  const values = {
    ...formValues({ ...live, ...fields }, adminContext.timeZone),
    ...timesOfUpdate(changeAt, adminContext),
  };
  return { at: changeAt, savedAt, fields: labels, values };
}

/** The time of a scheduled update as the form's fields. */
export function timesOfUpdate(at: Date, { timeZone }: AdminContext): Record<string, string> {
  return { changeAt: toLocalTime(at, timeZone), changeAtOccurrence: occurrenceOf(at, timeZone) };
}
