import { ledgerOf } from '#app/admin/effects/effects.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { wantsJson } from '#app/admin/frame/json-answers.server.ts';
import type {
  ActionArguments,
  ActionResult,
  Done,
  ScreenArguments,
  ViewProps,
} from '#app/admin/frame/screen.ts';
import { readUndoOffer } from '#app/admin/frame/undo.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { may } from '#app/people/roles.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { deleteRelease, editRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease, removeFromRelease } from '#app/publishing/releases/items.server.ts';
import { forecastOf } from '#app/effects/forecast.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import {
  rollBackRelease,
  listChangedSince,
  type ChangedSince,
} from '#app/publishing/releases/roll-back.server.ts';
import { keepTextsInRelease, wantedRedirect } from '#app/publishing/releases/texts.server.ts';
import { idsToPublish, readRelease, type ReleaseWithItems } from '#app/releases/queries.server.ts';
import { readPostIds, releaseSchema } from '#app/releases/release.ts';
import { requireAddable, requireReleaseAccess } from './saving.server.ts';
import { describeRelease } from './describe.server.ts';

/** What the last action did, by its name in the address. */
const notices: Record<string, string> = {
  save: 'Saved.',
  schedule: 'Scheduled.',
  unschedule: 'No longer scheduled.',
  publish: 'Published. Readers see all of it.',
};

/** A release, with a page of its items and the findings of its checks. */
export async function load(args: ScreenArguments) {
  const { app, params, request, adminContext } = args;
  const release = await readRelease(app, params.id ?? '');
  const parameters = new URL(request.url).searchParams;
  return {
    ...(await describeRelease(args, release, { show: parameters.get('show'), page: pageIn(request) })),
    localTime: release.publishAt ? toLocalTime(release.publishAt, adminContext.timeZone) : '',
    notice: notices[parameters.get('done') ?? ''],
    undo: await readUndoOffer(args, `releases/${release.id}`),
    now: app.clock.now(),
    ledger: await ledgerOf(args, `release:${release.id}`, { publishedAt: release.publishedAt }),
    forecast:
      release.status === 'published'
        ? null
        : await forecastOf(app, idsToPublish(release.items), ['release.published']),
  };
}

/** The conflict page of a rollback: the later changes that the rollback keeps. */
interface RollbackConflict {
  changedSince: ChangedSince[];
}

export async function act(args: ActionArguments): Promise<ActionResult<RollbackConflict> | Done | Response> {
  const { app, form, params, user, adminContext, address } = args;
  const release = await readRelease(app, params.id ?? '');
  const { id } = release;
  const fields = parseForm(releaseSchema(adminContext.timeZone), form.values);
  const { intent, redirectFrom, redirectTo = '' } = fields;
  // What nobody has changed in the form stays as it is: somebody else may have changed it since.
  const { shownName, shownPublishAt, ...typed } = form.values;
  const name = typed.name === shownName ? undefined : fields.name;
  const publishAt =
    intent !== 'schedule' && typed.publishAt === shownPublishAt ? undefined : fields.publishAt;
  const [add, remove] = [readPostIds(form.all('add')), form.all('remove').flatMap(splitIds)];
  const changesMore = name !== undefined || publishAt !== undefined || Boolean(redirectFrom);
  // Who may add a post may take it out again.
  const isAboutItems = add.length + remove.length > 0 && intent === 'save' && !changesMore;
  const removed = release.items.filter((item) => remove.includes(item.id) || remove.includes(item.subjectId));
  await requireReleaseAccess(app, user, isAboutItems ? removed : release.items);
  await requireAddable(app, user, add, 'add');
  if (redirectFrom && !may(user, 'posts:all'))
    throw new AppError('forbidden', 'Only editors can change redirects.');
  if (redirectTo.trim() !== '' && !redirectFrom)
    throw fieldError('redirectFrom', 'Enter the address to redirect from.');
  // Before anything is saved: a refused form changes nothing.
  const redirect = redirectFrom
    ? await wantedRedirect(app, { releaseId: id, from: redirectFrom, to: redirectTo })
    : null;
  const by = byUser(user, address);
  switch (intent) {
    case 'delete':
      await deleteRelease(app, { id, by });
      return { location: `${adminUrl(adminContext.adminPath, 'releases')}?deleted`, id };
    case 'rollback': {
      const changedSince = await listChangedSince(app, release);
      if (changedSince.length > 0 && fields.confirmed !== 'yes') return rollbackConflict(args, changedSince);
      const rollback = await rollBackRelease(app, { id, rollbackAt: fields.rollbackAt, by });
      return done(args, await readRelease(app, rollback.id));
    }
    case 'save':
    case 'schedule':
    case 'unschedule':
      await editRelease(app, { id, name, publishAt, step: intent, by });
      break;
    case 'publish':
      if (release.status === 'published') throw published();
      if (name !== undefined) await editRelease(app, { id, name, step: 'save', by });
  }
  if (remove.length > 0) await removeFromRelease(app, { releaseId: id, ids: remove });
  if (add.length > 0) await addPostsToRelease(app, { releaseId: id, postIds: add, editorId: user.id });
  if (redirect)
    await keepTextsInRelease(app, {
      releaseId: id,
      editorId: user.id,
      wanted: [redirect],
      replaces: true,
    });
  if (intent === 'publish' && !(await publishRelease(app, { id, by }))) throw published();
  return done(args, await readRelease(app, id), intent);
}

export type ReleaseProps = ViewProps<typeof load, typeof act>;

/** Answers a rollback with a 409 and the later changes that it keeps, until `confirmed` says that this is meant. */
function rollbackConflict(
  { form, request }: ActionArguments,
  changedSince: ChangedSince[],
): ActionResult<RollbackConflict> | Response {
  const [status, message] = [409, 'Some of this release’s changes were edited later.'];
  if (!wantsJson(request)) return { status, message, values: form.values, changedSince };
  const error = {
    code: 'conflict',
    message: `${message} (send confirmed=yes to keep these changes and roll back the rest)`,
  };
  return Response.json({ error, current: null, changedSince }, { status });
}

/** @param step what was done, for a notice on the page; scripts get the plain address */
function done(args: ActionArguments, { id, version, status }: ReleaseWithItems, step?: string): Done {
  const { adminContext, params, request } = args;
  const page = params.id === id ? pageIn(request) : 1;
  const query = new URLSearchParams(page > 1 ? { page: String(page) } : {});
  if (step !== undefined && !wantsJson(request)) query.set('done', step);
  const location = adminUrl(adminContext.adminPath, 'releases', id);
  return { location: query.size === 0 ? location : `${location}?${query}`, id, version, status };
}

/** The number of the requested page of changes. */
function pageIn({ url }: Request): number {
  const page = new URL(url).searchParams.get('page') ?? '';
  return /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1;
}

function published(): AppError {
  return new AppError('conflict', 'Someone else just published or changed this release.');
}

function splitIds(value: string): string[] {
  return value.split(/[\s,]+/).filter((id) => id !== '' && id.length <= 300);
}
