import type { EditorPost } from '#app/admin/editor/model/data.server.ts';
import { occurrenceOf } from '#app/admin/editor/model/form.server.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { postFields, type PostFieldName, type PostFields } from '#app/posts/fields/fields.ts';
import { formValues } from '#app/posts/fields/values.ts';
import type { ScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';

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
