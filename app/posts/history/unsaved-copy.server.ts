import type { Db } from '#app/platform/services.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { changedFields, sameValue } from '#app/posts/fields/stored.ts';
import { isIncluded } from './autosaves.server.ts';
import { findAutosave, findSavedFields } from './revisions.server.ts';

/** An editor's unsaved changes of a post that an action would leave out. */
export interface UnsavedCopy {
  postId: string;
  title: string;
  /** When the newest of the changes was typed. */
  at: Date;
  /** The post's fields with the unsaved changes. */
  fields: PostFields;
  /** The post's fields as saved. */
  saved: PostFields;
  /** The changes alone. */
  changes: Partial<PostFields>;
  /**
   * The version to save the changes with. It is an old one if somebody has changed the same fields since, so that the
   * save reports a conflict.
   */
  version: number;
  /** The post's version. */
  currentVersion: number;
}

/**
 * Finds the unsaved changes of an editor that an action would leave out; null when there are none. Those that were
 * typed for a release stay with it.
 * @param action.fields what the action saves; fields that it does not change are absent
 * @param action.includedUntil when the newest unsaved changes in `action.fields` were typed
 */
export async function findUnsavedCopy(
  app: Db,
  { postId, editorId }: { postId: string; editorId: string },
  action: { fields: Partial<PostFields>; includedUntil?: Date },
): Promise<UnsavedCopy | null> {
  const copy = await findAutosave(app, { postId, editorId });
  if (!copy || isIncluded(copy, action.includedUntil)) return null;
  const row = await app.db.post.findUnique({ where: { id: postId, ...notTrashed } });
  if (!row) return null;
  const saved = await readPostFields(app.db, row);
  const opened = (await findSavedFields(app, postId, copy.postVersion)) ?? saved;
  const changed = changedFields(opened, copy.fields);
  const afterAction = { ...saved, ...action.fields };
  if (changed.every((name) => sameValue(copy.fields[name], afterAction[name]))) return null;
  const isConflict = changedFields(opened, saved).some(
    (name) => changed.includes(name) && !sameValue(saved[name], copy.fields[name]),
  );
  const changes = Object.fromEntries(changed.map((name) => [name, copy.fields[name]]));
  return {
    postId,
    title: row.title,
    at: copy.createdAt,
    fields: { ...saved, ...changes },
    saved,
    changes,
    version: isConflict ? copy.postVersion : row.version,
    currentVersion: row.version,
  };
}
