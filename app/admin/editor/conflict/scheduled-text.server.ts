import { missingVersion, type PostForm } from '#app/admin/editor/model/form.server.ts';
import type { SavedRow } from '#app/admin/editor/saving/autosave.server.ts';
import type { ActionArguments, Done } from '#app/admin/frame/screen.ts';
import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { changedFields, newestFirst, readRevisionFields } from '#app/posts/fields/stored.ts';
import { pickFields } from '#app/posts/fields/values.ts';
import type { ChangeInRelease } from '#app/posts/history/conflict.server.ts';
import { findLastEditor, findSavedFields } from '#app/posts/history/revisions.server.ts';
import { readScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { savedPost } from './result.ts';

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
export interface ScheduledTextChange {
  /** True when the update is no longer scheduled: it was published or dropped. */
  isGone: boolean;
  /** What it changes. @param saved the post at the opened version */
  readChange: (saved: PostFields) => Promise<ChangeInRelease>;
}

/** Reads what has become of the scheduled text since its form was opened; null for the form of another text. */
export async function readScheduledChange(
  app: Pick<App, 'db'>,
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
  app: Pick<App, 'db'>,
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
