import { byUser } from '#app/people/audit/audit.server.ts';
import { requirePostAccess, type Actor } from '#app/people/roles.ts';
import { newId } from '#app/platform/clock.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import type { Db, Timed } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { intentFor } from '#app/posts/fields/states.ts';
import { readPresentFields, readReferences } from '#app/posts/terms/references.server.ts';
import {
  changeHidden,
  changePublicContent,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import {
  readUndoStep,
  type PostUndo,
  type ReleaseUndo,
  type UndoChange,
  type UndoStep,
} from '#app/publishing/change/undo-change.ts';
import { restoreMedia } from '#app/publishing/media/trash.server.ts';
import { renderChangedBody } from '#app/publishing/post-row/body.server.ts';
import { readPost } from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import { rescheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { restorePost } from '#app/publishing/posts/trash.server.ts';
import { lockRelease } from '#app/publishing/releases/edit.server.ts';
import { restoreTerm } from '#app/publishing/terms/trash.server.ts';
import { withReleaseState } from '#app/releases/queries.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { requireTrashAccess } from './purge.server.ts';

interface Undoer extends Actor {
  displayName: string;
}

/** Stores how to undo an action, for a day. @returns the step's id; null when there is nothing to undo. */
export async function rememberUndo(
  app: Timed,
  userId: string,
  summary: Message,
  step: UndoStep,
): Promise<string | null> {
  if (step.changes.length === 0) return null;
  const id = newId(app.clock);
  const changes = JSON.stringify({ ...step, changes: await withReferences(app, step.changes) });
  await app.db.undoStep.create({
    data: { id, userId, summary: toStored(summary), changes, createdAt: app.clock.now() },
  });
  return id;
}

/**
 * Undoes an action of this person, each change by its own rules. What somebody has changed since is left unchanged.
 * @returns the screen that showed the message, and how much was undone; null for an unknown step
 */
export async function undo(
  app: PublishingContext,
  by: { user: Undoer; address: string },
  id: string,
): Promise<{ back: string; undone: number; kept: number } | null> {
  const where = { id, userId: by.user.id };
  const row = await app.db.undoStep.findUnique({ where });
  const step = row && readUndoStep(row.changes);
  // Deleting the row is the claim, so a double click undoes only once.
  if (!step || (await app.db.undoStep.deleteMany({ where })).count === 0) return null;
  let undone = 0;
  for (const change of step.changes) {
    try {
      await undoOne(app, by, await withPresentTerms(app, change));
      undone += 1;
    } catch (error) {
      if (!isAppError(error)) throw error;
    }
  }
  return { back: step.back, undone, kept: step.changes.length - undone };
}

/** The tags and the category that come back may be renamed, merged or trashed until then. */
async function withReferences({ db }: Db, changes: UndoChange[]): Promise<UndoChange[]> {
  const posts = changes.flatMap((change) => postOf(change) ?? []);
  const fieldsOf = ({ tags, fields }: PostUndo) => ({ ...fields, tags });
  const termsOf = await readReferences(db, posts.map(fieldsOf));
  return changes.map((change) => withPost(change, (post) => ({ ...post, terms: termsOf(fieldsOf(post)) })));
}

async function withPresentTerms({ db }: Db, change: UndoChange): Promise<UndoChange> {
  const post = postOf(change);
  if (!post) return change;
  const { terms, fields } = post;
  const { tags = [] } = await readPresentFields(db, { fields: { tags: post.tags }, terms });
  const present = fields && (await readPresentFields(db, { fields, terms }));
  return withPost(change, () => ({ ...post, tags, ...(present && { fields: present }) }));
}

function postOf(change: UndoChange): PostUndo | undefined {
  if ('post' in change) return change;
  return 'release' in change ? change.text : undefined;
}

function withPost(change: UndoChange, edit: (post: PostUndo) => PostUndo): UndoChange {
  if ('post' in change) return edit(change);
  return 'release' in change && change.text ? { ...change, text: edit(change.text) } : change;
}

async function undoOne(
  app: PublishingContext,
  { user, address }: { user: Undoer; address: string },
  change: UndoChange,
): Promise<void> {
  const editorId = user.id;
  if ('restore' in change) {
    const { restore: kind, id, as, update } = change;
    // The user's role may have changed since.
    const item = await app.db.trashItem.findFirst({ where: trashEntries(kind, id) });
    if (item) await requireTrashAccess(app, user, { ...item, id });
    if (kind === 'post') await restorePost(app, { postId: id, as, update, editorId, address });
    else if (kind === 'media') await restoreMedia(app, byUser(user, address), id);
    else await restoreTerm(app, byUser(user, address), { kind, id });
    return;
  }
  if ('release' in change) {
    if (change.text) await undoOne(app, { user, address }, change.text);
    return undoAddition(app, change);
  }
  const settings = await readSettings(app);
  const { fields = {} } = change;
  const rendered = await renderChangedBody({ ...app, settings }, change.post, fields);
  await changePublicContent(app, async (content) => {
    const current = await readPost(content.tx, { postId: change.post, version: change.version });
    const intent = current.status === change.status ? 'save' : intentFor[change.status];
    requirePostAccess(user, await withReleaseState({ db: content.tx }, user, current), intent);
    const before = await readPostFields(content.tx, current);
    const times = { publishedAt: asDate(change.publishedAt), archiveAt: asDate(change.archiveAt) };
    const undone = await writePost(app, content, {
      current,
      before,
      requested: { ...before, ...fields, ...times, tags: change.tags },
      rendered,
      intent,
      kind: 'save',
      editorId,
      address,
      settings,
      times,
      reason: 'Undone',
      waiting: { onConflict: 'keep' },
    });
    await rescheduleUpdate(content.tx, undone, change.update);
  });
}

function asDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

/** Deletes steps that are a day old. Every trigger calls it. */
export async function forgetUndoSteps(app: Timed): Promise<void> {
  const createdAt = { lt: new Date(app.clock.now().getTime() - DAY_MS) };
  await app.db.undoStep.deleteMany({ where: { createdAt } });
}

/**
 * Undoes that a change of a post was stored in a release, unless somebody has stored another one there since.
 * @throws AppError `not_found`; `conflict` for a release that is public or a change that was stored
 */
async function undoAddition(
  app: PublishingContext,
  { release: releaseId, added: subjectId, storedAt, former }: ReleaseUndo,
): Promise<void> {
  await changeHidden(app, async (change) => {
    await lockRelease(change, releaseId);
    const { releaseItem } = change.tx;
    const stored = storedAt
      ? { updatedAt: storedAt }
      : { action: { in: ['publish', 'update'] }, fields: '{}' };
    const where = { releaseId, kind: 'post', subjectId, ...stored };
    const data = { updatedAt: change.now, ...former };
    const { count } = await (former
      ? releaseItem.updateMany({ where, data })
      : releaseItem.deleteMany({ where }));
    if (count === 0) throw new AppError('conflict', 'Someone else just published or changed this release.');
  });
}
