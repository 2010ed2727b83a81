import { describeDifferences } from '#app/admin/differences/describe.server.ts';
import type { PostForm } from '#app/admin/editor/model/form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/frame/screen.ts';
import { say } from '#app/platform/message.ts';
import { type PostFields, formValues } from '#app/posts/fields/fields.ts';
import type { UnsavedCopy } from '#app/posts/history/revisions.server.ts';
import type { EditorResult } from './result.ts';

/** Answers with a 409 that shows the user's unsaved changes and asks whether the action includes them. */
export async function showUnsavedCopy(
  { app, user, adminContext }: ScreenArguments,
  copy: UnsavedCopy,
  values: Readonly<Record<string, string>>,
): Promise<ActionResult<EditorResult>> {
  const { timeZone } = adminContext;
  const differences = await describeDifferences(app, copy.saved, copy.fields, adminContext);
  return {
    status: 409,
    message: say('You have unsaved changes in “{title}”.', { title: copy.title }),
    values,
    unsavedCopy: { title: copy.title, at: copy.at, differences, values },
    current: currentOf(copy, user.displayName, timeZone),
  };
}

/** An unsaved copy as the `current` version of a result, so that a script can compare it with its own text. */
export function currentOf(copy: UnsavedCopy, editedBy: string, timeZone: string) {
  const { fields, currentVersion: version, at: updatedAt } = copy;
  return { fields: formValues(fields, timeZone), version, editedBy, updatedAt };
}

/** Adds the unsaved changes to the form. Times that the form itself changes take precedence. */
export function withCopy(form: PostForm, { changes, saved, version, at }: UnsavedCopy): PostForm {
  const changedTimes = (['publishedAt', 'archiveAt'] as const).filter(
    (name) => form.fields[name] !== undefined && !isSameMinute(form.fields[name], saved[name]),
  );
  const times = Object.fromEntries(changedTimes.map((name) => [name, form.fields[name]]));
  const fields: Partial<PostFields> = { ...form.fields, ...changes, ...times };
  return { ...form, fields, version, autosavedAt: at };
}

function isSameMinute(a: Date | null | undefined, b: Date | null): boolean {
  const minute = (time: Date | null | undefined) => (time ? Math.floor(time.getTime() / 60_000) : null);
  return minute(a) === minute(b);
}
