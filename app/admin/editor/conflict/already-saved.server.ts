import type { PostForm } from '#app/admin/editor/model/form.server.ts';
import type { App } from '#app/app.ts';
import { nextStatus, SCHEDULED_TEXT, type StateIntent } from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import type { PostConflict } from '#app/posts/history/conflict.server.ts';
import { readScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';

/** Fields whose stored value may differ from the sent one: the server chooses a free slug and the time of a button. */
const chosenByServer = ['slug', 'publishedAt', 'archiveAt'];

/**
 * True when a stale save repeats a save (after a double click or a reload): the last save is by the same user, and the
 * post has the values and the state that this form asks for.
 */
export async function isAlreadySaved(
  app: Pick<App, 'db'>,
  save: { postId: string; editorId: string; form: PostForm; conflict: PostConflict },
): Promise<boolean> {
  const { form, conflict } = save;
  if (form.intent === 'delete' || form.intent === 'autosave') return false;
  if (form.edit === SCHEDULED_TEXT || form.intent === 'prepare') return hasSameUpdate(app, save);
  const intent = form.intent as StateIntent;
  if (form.version !== conflict.version - 1 || nextStatus(conflict.status, intent) !== conflict.status)
    return false;
  if (conflict.differences.some(({ field }) => !chosenByServer.includes(field))) return false;
  const last = await app.db.revision.findFirst({
    where: { postId: save.postId, postVersion: conflict.version, kind: 'save' },
    select: { authorId: true },
  });
  return last?.authorId === save.editorId;
}

async function hasSameUpdate(
  app: Pick<App, 'db'>,
  { postId, editorId, form, conflict }: Parameters<typeof isAlreadySaved>[1],
): Promise<boolean> {
  const change = await readScheduledUpdate(app, postId);
  if (!change?.fields || form.version !== conflict.version - 1 || change.authorId !== editorId) return false;
  const expected = { ...conflict.theirs, ...change.fields };
  const time = form.changeAt ?? (form.intent === 'save' ? change.changeAt : null);
  const sameTime = change.changeAt.getTime() === time?.getTime();
  return sameTime && changedFields(expected, conflict.mine).every((name) => chosenByServer.includes(name));
}
