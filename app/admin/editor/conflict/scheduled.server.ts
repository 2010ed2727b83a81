import { SCHEDULED_FIELD } from '#app/admin/editor/model/scheduled-field.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/frame/screen.ts';
import { postFields } from '#app/posts/fields/fields.ts';
import { formValues } from '#app/posts/fields/values.ts';
import type { ScheduledTexts } from '#app/publishing/post-row/waiting-texts.server.ts';
import { nameReferences } from './conflict.server.ts';
import type { EditorResult } from './result.ts';

/** Answers a live change with a 409 that shows it beside the scheduled update, which changes the same. */
export async function showScheduledConflict(
  { app, user, adminContext }: ScreenArguments,
  { before, live, scheduled, merged, conflicts, update }: ScheduledTexts,
  { version, values }: { version: number; values: Readonly<Record<string, string>> },
): Promise<ActionResult<EditorResult>> {
  const { timeZone } = adminContext;
  const shown = { live: formValues(live, timeZone), scheduled: formValues(scheduled, timeZone) };
  const chosen = formValues(merged, timeZone);
  const names = await nameReferences(app, user, [live, scheduled]);
  const inWords = (value: string) => names.get(value) ?? value;
  const author = await app.db.user.findUnique({
    where: { id: update.authorId ?? '' },
    select: { displayName: true },
  });
  const isBody = conflicts.includes('body');
  const [inLive, inScheduled] = isBody
    ? await Promise.all([
        app.workers.compareTexts(before.body, live.body),
        app.workers.compareTexts(before.body, scheduled.body),
      ])
    : [[], []];
  return {
    status: 409,
    message: 'The scheduled update changes the same text.',
    values,
    scheduledConflict: {
      changeAt: update.changeAt,
      fields: conflicts.map((name) => ({
        name,
        label: postFields[name].label,
        live: inWords(shown.live[name]),
        scheduled: inWords(shown.scheduled[name]),
        chosenName: SCHEDULED_FIELD + name,
        chosen: chosen[name],
        changes:
          name === 'body'
            ? [
                { label: 'Changed in the live text', lines: inLive },
                { label: 'Changed by the scheduled update', lines: inScheduled },
              ]
            : [],
      })),
      values,
    },
    current: {
      fields: formValues(before, timeZone),
      version,
      editedBy: author?.displayName ?? null,
      updatedAt: update.createdAt,
      scheduled: { fields: shown.scheduled, changeAt: update.changeAt },
    },
  };
}
