import * as z from 'zod';
import type { Db } from '#app/platform/services.ts';
import { saveToRelease } from '#app/admin/editor/conflict/save-to-release.server.ts';
import { currentOf } from '#app/admin/editor/conflict/unsaved-copy.server.ts';
import { findPostFor } from '#app/admin/editor/model/post.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, ActionResult, Done, SubmittedForm } from '#app/admin/frame/screen.ts';
import { requireReleasable } from '#app/admin/releases/saving.server.ts';
import { postsVisibleTo, mayActOnPost } from '#app/people/roles.ts';
import type { SessionUser } from '#app/people/sessions/sessions.server.ts';
import { AppError, type FieldErrors, isAppError } from '#app/platform/errors.ts';
import { messageOfIssue, say, saying } from '#app/platform/message.ts';
import { keysOf } from '#app/platform/narrow.ts';
import { postFieldsSchema } from '#app/posts/fields/form.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { findUnsavedCopy, type UnsavedCopy } from '#app/posts/history/revisions.server.ts';
import {
  undoOf,
  type PostUndo,
  type ReleaseUndo,
  type UndoChange,
} from '#app/publishing/change/undo-change.ts';
import { changePosts, type ChangePostsResult } from '#app/publishing/posts/change-many.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { rememberUndo } from '#app/publishing/trash/undo.server.ts';
import type { ReleaseItemRow } from '#app/releases/items.ts';
import { listOpenReleases, listReleasesOfAny, withReleaseStates } from '#app/releases/queries.server.ts';
import type { ItemAction } from '#app/releases/release.ts';
import { showsText, textVersionOf } from '#app/releases/post-change.server.ts';
import {
  bulkActions,
  bulkActionsFor,
  postActions,
  type BulkAction,
  type BulkPlan,
  type BulkResult,
} from './bulk-actions.ts';

const POSTS_MAX = 200;

export function load(): Promise<object> {
  return Promise.resolve({});
}

/** Shows the plan first. After the confirmation it changes the posts, each by its own rules. */
export async function act(args: ActionArguments): Promise<ActionResult<BulkResult> | Done> {
  const { app, form, user, adminContext, address } = args;
  const { values } = form;
  const action = readAction(values.action, user);
  const plan = await readPlan(app, user, action, [...new Set(form.all('ids'))]);
  if (values.confirmed !== 'yes' || plan.posts.length === 0) return { plan };
  const parsed = detailsSchemas(adminContext.timeZone, app.clock.now())[action].safeParse(values);
  if (!parsed.success) {
    const errors: FieldErrors = {};
    for (const issue of parsed.error.issues)
      (errors[String(issue.path[0])] ??= []).push(messageOfIssue(issue));
    return { status: 400, message: 'There is a problem with some fields.', errors, values, plan };
  }
  const { releaseId = '' } = releaseSchema.partial().parse(parsed.data);
  if (action === 'release') await requireReleasable(app, user, null, releaseId);
  const copies = await findCopies(app, user, plan);
  const copy =
    copies.length > 0 ? z.enum(['use', 'drop']).optional().catch(undefined).parse(values.copy) : 'drop';
  if (!copy)
    return {
      status: 409,
      message: 'You have unsaved changes in some of these posts. Choose which text to use.',
      values,
      plan,
      unsaved: copies.map(({ postId, title, at }) => ({ postId, title, at })),
      current: currentOf(copies[0]!, user.displayName, adminContext.timeZone),
    };
  const ids = plan.posts.map(({ id }) => id);
  if (action === 'release')
    return addToRelease(args, releaseId, { postIds: ids, copies: copy === 'use' ? copies : [] });
  const result = await changePosts(app, {
    ids,
    intent: action,
    versions: readVersions(form),
    useUnsavedChanges: copy === 'use',
    editorId: user.id,
    address,
    ...parsed.data,
  });
  const { changedIds } = result;
  const { outcome } = bulkActions[action];
  const number = changedIds.length;
  const posts = number === 1 ? '1 post' : '{number} posts';
  const summary =
    action === 'delete'
      ? say(`${posts} moved to the trash.`, { number })
      : outcome === null
        ? say(`${posts} tagged.`, { number })
        : say(`${posts} now {state}.`, { number, state: say(outcome) });
  const undoId = await rememberUndo(app, user.id, summary, { back: 'posts', changes: result.undo });
  if (result.refused.length > 0) return { outcome: result, undo: undoId ? { id: undoId, summary } : null };
  const list = adminUrl(adminContext.adminPath, 'posts');
  return { location: `${list}?changed=${changedIds.length}${undoId ? `&undo=${undoId}` : ''}` };
}

const releaseSchema = z.object({
  releaseId: z.string('Choose a release.').trim().min(1, 'Choose a release.').max(64, 'Choose a release.'),
});

async function findCopies(app: Db, user: SessionUser, { posts }: BulkPlan): Promise<UnsavedCopy[]> {
  const where = { kind: 'autosave', authorId: user.id, postId: { in: posts.map(({ id }) => id) } };
  const unsaved = await app.db.revision.findMany({ where, select: { postId: true }, distinct: ['postId'] });
  const copies: UnsavedCopy[] = [];
  for (const { postId } of unsaved) {
    const copy = await findUnsavedCopy(app, { postId, editorId: user.id }, { fields: {} });
    if (copy) copies.push(copy);
  }
  return copies;
}

function readAction(value: unknown, user: SessionUser): BulkAction {
  const action = keysOf(bulkActions).find((name) => name === value);
  if (!action) throw new AppError('invalid_input', 'Choose an action for the posts.');
  if (!bulkActionsFor(user).includes(action))
    throw new AppError('forbidden', 'An editor publishes your posts.');
  return action;
}

async function readPlan(app: Db, user: SessionUser, action: BulkAction, ids: string[]): Promise<BulkPlan> {
  if (ids.length === 0) throw new AppError('invalid_input', 'Choose at least one post.');
  if (ids.length > POSTS_MAX)
    throw new AppError('invalid_input', say('Choose at most {most} posts at once.', { most: POSTS_MAX }));
  const visiblePosts = await app.db.post.findMany({
    where: { AND: [{ id: { in: ids } }, postsVisibleTo(user), notTrashed] },
    select: { id: true, title: true, status: true, publishedAt: true, version: true, authorId: true },
    orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
  });
  const seen = await withReleaseStates(app, user, visiblePosts);
  const allowed = seen.filter((post) => mayActOnPost(user, post, postActions[action]));
  const { outcome } = bulkActions[action];
  // A scheduled post can be scheduled again: it gets a new time.
  const changing = allowed.filter(({ status }) => outcome === 'scheduled' || status !== outcome);
  const posts = changing.map(({ authorId: _authorId, ...post }) => post);
  const releases = action === 'release' ? await listOpenReleases(app) : [];
  const visibleIds = visiblePosts.map(({ id }) => id);
  const of = action === 'delete' ? await listReleasesOfAny(app, 'post', visibleIds) : [];
  // A rollback skips deleted posts.
  const needed = of.filter((item) => item.action !== 'restore');
  const blocks = [...new Set(needed.map(({ release }) => release.name))];
  const [missing, already] = [ids.length - allowed.length, allowed.length - posts.length];
  return { action, posts, missing, already, releases, blocks };
}

/** The further fields of each action, in the form that `changePosts` takes. */
function detailsSchemas(timeZone: string, now: Date) {
  const { publishedAt, tags } = postFieldsSchema(timeZone).shape;
  const whole = (min: number, max: number) =>
    z
      .string({ error: 'Enter a whole number.' })
      .trim()
      .regex(/^-?\d{1,5}$/, 'Enter a whole number.')
      .transform(Number)
      .refine(
        (value) => value >= min && value <= max,
        saying('Enter a number from {min} to {max}.', { min, max }),
      );
  const none = z.object({}).transform(() => ({}));
  return {
    publish: none,
    draft: none,
    release: releaseSchema,
    archive: none,
    delete: none,
    tag: z
      .object({ tags: tags.unwrap() })
      .refine(({ tags }) => tags.length > 0, { path: ['tags'], message: 'Enter at least one tag.' }),
    shift: z
      .object({ days: whole(-3_650, 3_650), hours: whole(-48, 48) })
      .refine(({ days, hours }) => days !== 0 || hours !== 0, {
        path: ['days'],
        message: 'Enter how far to move.',
      })
      .transform(({ days, hours }) => ({ shift: { days, minutes: hours * 60 } })),
    schedule: z
      .object({ publishedAt: publishedAt.unwrap(), everyDays: whole(0, 365) })
      .transform(({ publishedAt: firstAt, everyDays }, context) => {
        if (firstAt && firstAt > now) return { schedule: { firstAt, everyDays } };
        context.addIssue({
          code: 'custom',
          path: ['publishedAt'],
          message: 'Publication time must be in the future.',
        });
        return z.NEVER;
      }),
  } satisfies Record<BulkAction, z.ZodType>;
}

/** The versions of the posts on the confirmation page, from its `version-<id>` fields. */
function readVersions({ entries }: SubmittedForm): Record<string, number> {
  const versions = entries.flatMap(([name, value]): [string, number][] => {
    const id = /^version-(.{1,64})$/.exec(name)?.[1];
    return id && /^\d{1,9}$/.test(value) ? [[id, Number(value)]] : [];
  });
  return Object.fromEntries(versions);
}

/**
 * Adds posts to a release: those with unsaved changes to be used one by one, as the editor saves them to a release, and
 * then all others or, after a failure, none of these.
 */
export async function addToRelease(
  args: ActionArguments,
  releaseId: string,
  { postIds, copies }: { postIds: string[]; copies: UnsavedCopy[] },
): Promise<ActionResult<BulkResult> | Done> {
  const { app, user, adminContext } = args;
  const where = { releaseId, kind: 'post', subjectId: { in: postIds } };
  const items = await app.db.releaseItem.findMany({ where });
  const before = new Map(items.map((item) => [item.subjectId, item]));
  const savedTexts = new Map<string, PostUndo>();
  const refused: ChangePostsResult['refused'] = [];
  for (const { postId, title, changes, version, at, saved } of copies) {
    const item = before.get(postId);
    // A text of this editor in the release gets the changes. That of somebody else, an archive and a rollback were not
    // shown here.
    const isOwnText = item?.action === 'update' && item.authorId === user.id;
    const textVersion = textVersionOf(isOwnText ? item : null);
    const form = {
      fields: changes,
      version,
      autosavedAt: at,
      releaseId,
      intent: 'save' as const,
      textVersion,
    };
    try {
      const row = await findPostFor(app, user, postId);
      if (row.status === 'published' && item && !showsText(textVersion, item))
        throw new AppError(
          'conflict',
          item.action === 'update'
            ? 'Someone else changed this post in the release. Open it there to combine both.'
            : 'The release archives this post or restores an earlier state. To change it there, remove it from the release first.',
        );
      const { version: newVersion } = await saveToRelease(args, row, form);
      if (row.status !== 'published')
        savedTexts.set(postId, undoOf(row, saved, newVersion, { taken: changes }));
    } catch (error) {
      if (!isAppError(error)) throw error;
      refused.push({ id: postId, title, reason: error.said });
    }
  }
  const changedIds = postIds.filter((id) => !refused.some((post) => post.id === id));
  await addPostsToRelease(app, { releaseId, postIds: changedIds, editorId: user.id });
  const stored = await app.db.releaseItem.findMany({ where, select: { subjectId: true, updatedAt: true } });
  const storedAt = new Map(stored.map(({ subjectId, updatedAt }) => [subjectId, updatedAt]));
  const changes = changedIds.flatMap((id): UndoChange[] => {
    const [former, text] = [before.get(id), savedTexts.get(id)];
    const at = storedAt.get(id);
    if (!at || at.getTime() === former?.updatedAt.getTime()) return text ? [text] : [];
    return [{ release: releaseId, added: id, storedAt: at, former: former && formerChange(former), text }];
  });
  const count = changedIds.filter((id) => !before.has(id)).length;
  const summary =
    count === 1
      ? '1 post added to the release.'
      : say('{number} posts added to the release.', { number: count });
  const undoId = await rememberUndo(app, user.id, summary, { back: `releases/${releaseId}`, changes });
  if (refused.length > 0)
    return { outcome: { changedIds, refused, undo: changes }, undo: undoId ? { id: undoId, summary } : null };
  return { location: adminUrl(adminContext.adminPath, 'releases', releaseId), id: releaseId };
}

function formerChange({
  action,
  fields,
  updatedAt,
}: Pick<ReleaseItemRow, 'action' | 'fields' | 'updatedAt'>): ReleaseUndo['former'] {
  return { action: action as ItemAction, fields, updatedAt };
}
