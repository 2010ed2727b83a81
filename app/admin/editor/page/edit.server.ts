import { choosePassages, showConflict, showDeleted } from '#app/admin/editor/conflict/refused-form.server.ts';
import { savedPost, type EditorResult } from '#app/admin/editor/conflict/result.ts';
import { isForRelease, saveToRelease } from '#app/admin/editor/conflict/save-to-release.server.ts';
import {
  saveScheduledText,
  withScheduledShown,
  showScheduledConflict,
} from '#app/admin/editor/conflict/scheduled.server.ts';
import { showUnsavedCopy, withCopy } from '#app/admin/editor/conflict/unsaved-copy.server.ts';
import {
  mayDo,
  noneIncluded,
  readChoices,
  readTextStyles,
  type EditorData,
  type EditorPost,
  readOpenReleases,
  withReleaseShown,
} from '#app/admin/editor/model/data.server.ts';
import { ledgerOf } from '#app/admin/effects/effects.server.ts';
import { findPostFor } from '#app/admin/editor/model/post.server.ts';
import {
  missingVersion,
  occurrenceOf,
  occurrencesOf,
  withinRights,
  type PostForm,
  type EditorIntent,
} from '#app/admin/editor/model/form.server.ts';
import { readViewSettings } from '#app/admin/editor/model/view-settings.ts';
import { autosave, readEditForm, type SavedRow } from '#app/admin/editor/saving/autosave.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { wantsJson } from '#app/admin/frame/json-answers.server.ts';
import type {
  ActionArguments,
  ActionResult,
  AdminContext,
  Done,
  ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { addressSchema } from '#app/newsletter/subscribers.server.ts';
import { readMailPost, sendTestMail } from '#app/newsletter/issue-mail.server.ts';
import { requirePostAccess } from '#app/people/roles.ts';
import { AppError, fieldError, isAppError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import { keysOf, oneOf } from '#app/platform/narrow.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { postFields, type PostFields, formValues } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import {
  type EditedText,
  isUntitled,
  nameOfText,
  notTrashed,
  postStatuses,
  SCHEDULED_TEXT,
} from '#app/posts/fields/states.ts';
import {
  listAutosaves,
  readRevision,
  type RevisionWithFields,
  findUnsavedCopy,
} from '#app/posts/history/revisions.server.ts';
import { readScheduledUpdate, type ScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import { readPresentFields } from '#app/posts/terms/references.server.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { scheduledTextsOf } from '#app/publishing/post-row/kept-texts.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { cancelScheduledUpdate, scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { rememberUndo } from '#app/publishing/trash/undo.server.ts';
import { withReleaseState } from '#app/releases/queries.server.ts';

export async function load(args: ScreenArguments): Promise<EditorData | Response> {
  const data = await readEditor(args);
  return wantsJson(args.request) ? Response.json(data) : data;
}

async function readEditor(args: ScreenArguments): Promise<EditorData> {
  const { app, params, adminContext, user, request } = args;
  const row = await findPostFor(app, user, params.id);
  const parameters = new URL(request.url).searchParams;
  const revisionId = parameters.get('with');
  const revision = revisionId ? await readRevision(app, row.id, revisionId) : null;
  const update = await readScheduledUpdate(app, row.id);
  const asksForUpdate = isOfUpdate(revision, parameters.get('edit'));
  const scheduled = asksForUpdate && row.status === 'published' && update?.fields ? update : null;
  const edit: EditedText = scheduled ? SCHEDULED_TEXT : 'live';
  const live = revision
    ? { ...revision.fields, ...(await readPresentFields(app.db, revision)) }
    : await readPostFields(app.db, row);
  // A text that was typed or kept for a release is shown with it, whatever the address says.
  const isUnsaved = revision?.kind === 'autosave';
  const releases = await readOpenReleases(
    args,
    row,
    revision && {
      releaseId: revision.releaseId,
      unsavedAt: isUnsaved ? revision.createdAt : null,
      textVersion: revision.textVersion,
    },
  );
  const change = scheduled ? scheduled.fields : releases.change;
  const fields = revision ? live : { ...live, ...change };
  const changeAt = revision?.changeAt ?? scheduled?.changeAt;
  const [choices, author, autosaves] = await Promise.all([
    readChoices(app, user, fields),
    row.authorId
      ? app.db.user.findUnique({ where: { id: row.authorId }, select: { displayName: true } })
      : null,
    listAutosaves(app, { postId: row.id, editorId: user.id }),
  ]);
  const restored = autosaves.find(({ id }) => id === revisionId);
  const unsaved = autosaves.filter((autosave) => autosave !== restored);
  const textName = nameOfText(row.status, { edit, releaseId: releases.chosenId });
  return {
    post: {
      id: row.id,
      slug: row.slug,
      version: row.version,
      status: oneOf(postStatuses, row.status),
      author: author?.displayName ?? null,
      updatedAt: row.updatedAt,
      createdAt: row.createdAt,
      unsaved: unsaved.map(({ createdAt: at, ...autosave }) => ({
        ...autosave,
        at,
        isOfThisPage: autosave.releaseId === textName,
      })),
      change: update && describeUpdate(update, live, { adminContext, withValues: wantsJson(request) }),
    },
    postId: row.id,
    values: {
      ...formValues(fields, adminContext.timeZone),
      ...(isUntitled(row, fields) && { title: '' }),
      ...occurrencesOf(fields, adminContext.timeZone),
      ...(changeAt && timesOfUpdate(changeAt, adminContext)),
      releaseId: releases.chosenId,
      ...(row.status === 'published' && { edit }),
      ...(releases.textVersion && !scheduled && { releaseText: releases.textVersion }),
      // The version on which the changes are based, so that a save conflicts with later changes by others.
      ...(restored && { version: String(revision!.postVersion) }),
      // The time of the unsaved changes that the form includes. A save keeps any other. An autosave of another tab may
      // have changed the row since its fields were read.
      autosavedAt: (restored ? revision!.createdAt : noneIncluded).toISOString(),
    },
    choices,
    now: app.clock.now(),
    may: mayDo(user, await withReleaseState(app, user, row)),
    notice:
      releases.notice ??
      (asksForUpdate && !scheduled && !revision ? UPDATE_GONE : null) ??
      noticeOf({ isRevision: revision !== null, isRestored: restored !== undefined }),
    // A text is either the scheduled one or that of a release.
    releases: scheduled ? { ...releases.shown, open: [] } : releases.shown,
    view: readViewSettings(request.headers.get('Cookie')),
    present: app.openPosts.note(row.id, user, app.clock.now()),
    textStyles: await readTextStyles(app),
    ledger: await ledgerOf(args, `post:${row.id}`, {
      publishedAt: row.status === 'published' ? row.publishedAt : null,
      isPage: row.type === 'page',
    }),
  };
}

const UPDATE_GONE = 'This post has no scheduled update any more. This is the live text.';

/** Whether the page shows the text of the scheduled update. Unsaved changes belong to the text that they change. */
function isOfUpdate(revision: RevisionWithFields | null, requested: string | null): boolean {
  if (revision?.releaseId === SCHEDULED_TEXT) return true;
  if (revision?.kind === 'autosave') return false;
  return requested === SCHEDULED_TEXT || (revision?.kind === 'prepare' && revision.releaseId === null);
}

function noticeOf({ isRevision, isRestored }: Record<'isRevision' | 'isRestored', boolean>): string | null {
  if (isRestored) return 'These are your unsaved changes. Save to keep them.';
  return isRevision ? 'This is an earlier text. Save to keep it.' : null;
}

/** @param args.newCategory from the publish page: the category that the saved post gets, created if there is none */
export async function act(args: PostArguments): Promise<ActionResult<EditorResult> | Done | Response> {
  const { app, params, user } = args;
  const { values } = args.form;
  const row = await app.db.post.findUnique({ where: { id: params.id ?? '', ...notTrashed } });
  if (!row) return showDeleted(args, values);
  requirePostAccess(user, row, 'view');
  const owned = await withReleaseState(app, user, row);
  let form = readEditForm(args, owned, values);
  try {
    const unsaved = await findOmittedChanges(args, row, form);
    if (unsaved && !form.copy) return await showUnsavedCopy(args, unsaved, values);
    // For a deletion the choice makes no difference: the unsaved changes go to the trash with the post.
    if (unsaved && form.copy === 'use' && form.intent !== 'delete')
      form = withinRights(withCopy(form, unsaved), user, owned);
    const chosen = await choosePassages(args, { postId: row.id, status: row.status, form, values });
    if (!('form' in chosen)) return chosen;
    return await runIntent(args, row, chosen.form);
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'not_found') return showDeleted(args, values);
    if (error.code !== 'conflict') throw error;
    const texts = scheduledTextsOf(error);
    if (texts) return showScheduledConflict(args, texts, { version: row.version, values });
    return showConflict(args, { postId: row.id, status: row.status, form, values, message: error.said });
  }
}

/** The user's unsaved changes that are not in the form, if the form changes the post's state. */
async function findOmittedChanges(
  { app, user }: ScreenArguments,
  { id: postId, status }: SavedRow,
  form: PostForm,
) {
  if (!changesState.includes(form.intent)) return null;
  // The published post stays as it is.
  if (status === 'published' && isForRelease(form, status)) return null;
  if (form.edit === SCHEDULED_TEXT) return null;
  const action = { fields: form.fields, includedUntil: form.autosavedAt };
  return findUnsavedCopy(app, { postId, editorId: user.id }, action);
}

type PostArguments = ActionArguments & { newCategory?: string };

const changesState: readonly EditorIntent[] = [
  'draft',
  'schedule',
  'publish',
  'archive',
  'prepare',
  'delete',
];

async function runIntent(
  args: PostArguments,
  row: SavedRow,
  form: PostForm,
): Promise<ActionResult<EditorResult> | Done | Response> {
  const { app, user, adminContext, address, newCategory } = args;
  const { intent, fields, version, takeOverSlug, changeAt } = form;
  const { id: postId, status } = row;
  const editorId = user.id;
  if (isForRelease(form, status))
    return withReleaseShown(savedPost(adminContext, await saveToRelease(args, row, form)), form.releaseId!);
  switch (intent) {
    case 'preview':
      return {
        values: args.form.values,
        preview: (await renderBody(app, fields.body ?? '', fields.language)).html,
      };
    case 'send-test':
      return sendTest(args, row.id, fields);
    case 'autosave':
      return autosave(args, row, form);
    case 'delete': {
      // Without a version, a page that was opened long ago would delete newer changes.
      if (version === undefined) throw missingVersion();
      const { update } = await trashPost(app, { postId, version, editorId, address, typed: fields });
      await rememberUndo(app, user.id, say('“{title}” was moved to the trash.', { title: row.title }), {
        back: 'posts',
        changes: [{ restore: 'post', id: postId, as: oneOf(postStatuses, status), update }],
      });
      return { location: adminUrl(adminContext.adminPath, 'posts'), id: postId };
    }
    case 'cancel-change': {
      // A scheduled update that no longer exists (a double click, or its time has passed) is no failure.
      const hasUpdate = (await readScheduledUpdate(app, postId)) !== null;
      const newVersion = hasUpdate ? await cancelScheduledUpdate(app, postId) : row.version;
      return savedPost(adminContext, { id: postId, version: newVersion, status });
    }
    default: {
      if (form.edit === SCHEDULED_TEXT) return saveScheduledText(args, row, form);
      if (version === undefined) throw missingVersion();
      const { autosavedAt: includedUntil, exactTimes, scheduledFields } = form;
      const save = { postId, version, fields, editorId, includedUntil, exactTimes };
      if (intent !== 'prepare')
        return savedPost(
          adminContext,
          await editPost(app, { ...save, intent, takeOverSlug, address, newCategory, scheduledFields }),
        );
      const update = await scheduleUpdate(app, { ...save, changeAt });
      return withScheduledShown(savedPost(adminContext, { id: postId, version: update.version, status }));
    }
  }
}

/** Sends the text of the form, saved or not, to one address. */
async function sendTest(
  { app, form }: PostArguments,
  postId: string,
  fields: Partial<PostFields>,
): Promise<ActionResult<EditorResult>> {
  const to = addressSchema.safeParse(form.values.emailTo ?? '');
  if (!to.success) throw fieldError('emailTo', 'This is not an email address.');
  const row = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
  const { body, language, emailSubject, emailPreview } = { ...row, ...fields };
  const bodyHtml = (await renderBody(app, body, language)).html;
  const post = await readMailPost(app, postId, { ...fields, bodyHtml });
  if (!post) throw new AppError('not_found', 'This post does not exist.');
  await sendTestMail(app, post, { to: to.data, subject: emailSubject, preview: emailPreview });
  return {
    values: form.values,
    testMail: say('The mail server accepted the message for {address}.', { address: to.data }),
  };
}

/** What the editor says about a scheduled update. @param options.withValues its fields too, for a script */
function describeUpdate(
  { fields, changeAt, createdAt: savedAt }: ScheduledUpdate,
  live: PostFields,
  { adminContext, withValues }: { adminContext: AdminContext; withValues: boolean },
): EditorPost['change'] {
  if (!fields) return { at: changeAt, savedAt, fields: null };
  const labels = keysOf(fields).map((name) => postFields[name].label);
  if (!withValues) return { at: changeAt, savedAt, fields: labels };
  const values = {
    ...formValues({ ...live, ...fields }, adminContext.timeZone),
    ...timesOfUpdate(changeAt, adminContext),
  };
  return { at: changeAt, savedAt, fields: labels, values };
}

function timesOfUpdate(at: Date, { timeZone }: AdminContext): Record<string, string> {
  return { changeAt: toLocalTime(at, timeZone), changeAtOccurrence: occurrenceOf(at, timeZone) };
}
