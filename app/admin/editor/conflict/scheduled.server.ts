import type { Db } from '#app/platform/services.ts';
import { SCHEDULED_FIELD } from '#app/admin/editor/model/form-fields.ts';
import { missingVersion, type PostForm } from '#app/admin/editor/model/form.server.ts';
import type { SavedRow } from '#app/admin/editor/saving/autosave.server.ts';
import type { ActionResult, ScreenArguments, ActionArguments, Done } from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { postFields, type PostFields, formValues, pickFields } from '#app/posts/fields/fields.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { changedFields, newestFirst, readRevisionFields } from '#app/posts/fields/stored.ts';
import type { ChangeInRelease } from '#app/posts/history/conflict.server.ts';
import { findLastEditor, findSavedFields } from '#app/posts/history/revisions.server.ts';
import { readScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import type { ScheduledTexts } from '#app/publishing/post-row/kept-texts.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { nameReferences } from './conflict.server.ts';
import { type EditorResult, savedPost } from './result.ts';

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

/** The redirect to the editor of the scheduled text. */
export function withScheduledShown(done: Done): Done {
  return { ...done, location: `${done.location}?edit=${SCHEDULED_TEXT}` };
}

/**
 * Runs a button of the form with the scheduled text: `save` and `prepare` store that text, `publish` makes it public now.
 * The live post stays as it is otherwise.
 * @throws AppError `invalid_input` for a button that changes the live post; else as `scheduleUpdate` and `editPost`
 */
export async function saveScheduledText(
  { app, user, adminContext, address }: ActionArguments,
  row: SavedRow,
  form: PostForm,
): Promise<Done> {
  const { intent, fields, version, exactTimes, changeAt, autosavedAt: includedUntil } = form;
  if (version === undefined) throw missingVersion();
  const save = { postId: row.id, version, fields, editorId: user.id, includedUntil, exactTimes };
  switch (intent) {
    case 'save':
    case 'prepare': {
      const saved = await scheduleUpdate(app, { ...save, changeAt, isScheduledText: true });
      const { id, status } = row;
      return withScheduledShown(savedPost(adminContext, { id, version: saved.version, status }));
    }
    case 'publish':
      return savedPost(
        adminContext,
        await editPost(app, { ...save, intent: 'save', address, isScheduledText: true }),
      );
    default:
      throw new AppError('invalid_input', 'Switch to the live text for this.');
  }
}

/** A refused save of the scheduled text. */
interface ScheduledTextChange {
  /** True when the update is no longer scheduled: it was published or dropped. */
  isGone: boolean;
  /** What it changes. @param saved the post at the opened version */
  readChange: (saved: PostFields) => Promise<ChangeInRelease>;
}

/** Reads what has become of the scheduled text since its form was opened; null for the form of another text. */
export async function readScheduledChange(
  app: Db,
  postId: string,
  { edit, version = 0 }: PostForm,
): Promise<ScheduledTextChange | null> {
  if (edit !== SCHEDULED_TEXT) return null;
  const row = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
  const update = await readScheduledUpdate(app, postId);
  return {
    isGone: !update?.fields,
    readChange: async () => ({
      opened: await findOpenedUpdate(app, postId, version),
      present: update?.fields ?? {},
      savedBy: await findLastEditor(app, row),
      savedAt: update && update.createdAt > row.updatedAt ? update.createdAt : row.updatedAt,
    }),
  };
}

/** The fields that the scheduled update changed when the post had a version; null when that is no longer known. */
async function findOpenedUpdate(
  app: Db,
  postId: string,
  version: number,
): Promise<Partial<PostFields> | null> {
  const row = await app.db.revision.findFirst({
    where: { postId, kind: 'prepare', releaseId: null, postVersion: { lte: version } },
    orderBy: [{ postVersion: 'desc' }, ...newestFirst],
    select: { fields: true, postVersion: true },
  });
  const scheduled = row && readRevisionFields(row.fields);
  const live = row && (await findSavedFields(app, postId, row.postVersion));
  return scheduled && live && pickFields(scheduled, changedFields(live, scheduled));
}
