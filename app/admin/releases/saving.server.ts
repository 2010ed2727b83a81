import type { Db } from '#app/platform/services.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import type { Profile } from '#app/people/accounts/schema.ts';
import { requirePostAccess, may, mayActOnPost, type Actor, type OwnedPost } from '#app/people/roles.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { inSteps, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { say, type Message } from '#app/platform/message.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { keepTextsInRelease, type WantedTexts } from '#app/publishing/releases/texts.server.ts';
import { ofKind } from '#app/releases/check-release.server.ts';
import { nameOfChange, readTexts, type TextSnapshot, type ReleaseItemRow } from '#app/releases/items.ts';
import type { TextKind } from '#app/releases/live-texts.server.ts';
import { listOpenReleases, listReleasesOfAny, type ReleaseChoice } from '#app/releases/queries.server.ts';

/**
 * Requires the right to publish everything in a release: only with that a user may decide about the release.
 * @throws AppError `forbidden`
 */
export async function requireReleaseAccess(
  app: Db,
  user: Actor,
  items: readonly ReleaseItemRow[],
): Promise<void> {
  if (ofKind(items, 'setting').length > 0 && !may(user, 'settings:manage'))
    throw new AppError('forbidden', 'This release changes settings. Ask an administrator.');
  if (ofKind(items, 'category', 'tag').length > 0 && !may(user, 'taxonomy:manage'))
    throw new AppError('forbidden', 'This release changes categories or tags. Ask an editor.');
  if (ofKind(items, 'author').some(({ subjectId }) => subjectId !== user.id) && !may(user, 'users:manage'))
    throw new AppError('forbidden', 'This release changes other people’s accounts. Ask an administrator.');
  if (may(user, 'posts:all')) return;
  if (ofKind(items, 'redirect').length > 0)
    throw new AppError('forbidden', 'This release changes redirects. Ask an editor.');
  const posts = await inSteps(ofKind(items, 'post'), ROWS_A_STEP, (batch) =>
    app.db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { authorId: true, status: true },
    }),
  );
  if (posts.some((post) => !mayActOnPost(user, post, 'publish')))
    throw new AppError('forbidden', 'This release holds posts of other people. Ask an editor.');
}

/**
 * Requires the right to schedule the post, and a release that accepts changes. Called before a post is saved to a
 * release.
 * @throws AppError `forbidden`; `invalid_input` on `releaseId`
 */
export async function requireReleasable(
  app: Db,
  user: Actor,
  post: OwnedPost,
  releaseId: string,
): Promise<void> {
  requirePostAccess(user, post, 'schedule');
  await requireOpenRelease(app, releaseId);
}

/** Requires an existing unpublished release. @throws AppError `invalid_input` on `releaseId` */
async function requireOpenRelease(app: Db, releaseId: string): Promise<void> {
  const release = await app.db.release.findUnique({ where: { id: releaseId }, select: { status: true } });
  if (!release) throw fieldError('releaseId', 'This release does not exist. Choose another.');
  if (release.status === 'published')
    throw fieldError('releaseId', 'This release is published already. Choose another.');
}

/**
 * Requires the right to schedule these posts.
 * @throws AppError `invalid_input` on `field` for missing posts; `forbidden`
 */
export async function requireAddable(
  app: Db,
  user: Actor,
  postIds: readonly string[],
  field: string,
): Promise<void> {
  const posts = await inSteps(postIds, ROWS_A_STEP, (batch) =>
    app.db.post.findMany({
      where: { id: { in: batch }, ...notTrashed },
      select: { authorId: true, status: true },
    }),
  );
  if (posts.length < postIds.length) throw fieldError(field, 'One of the chosen posts no longer exists.');
  for (const post of posts) requirePostAccess(user, post, 'schedule');
}

/** A release that changes what a form shows. */
interface ChangingRelease extends ReleaseChoice {
  /** True for a rollback of what the form shows: the form cannot be saved to it. */
  goesBack: boolean;
  /** Names of its changes of what the form shows (`nameOfChange`). */
  changes: string[];
}

/** The releases that a form shows if it can be saved to one. */
export interface FormReleases {
  /** Releases to which the form can be saved; empty without the right to publish. */
  open: ReleaseChoice[];
  /** Releases that change the same things as the form. */
  of: ChangingRelease[];
  /** The release whose texts the form shows; `''`: the form shows the live texts. */
  chosenId: string;
  /** The notice at the top of the page, or null. */
  notice: Message | null;
}

/**
 * Reads the releases to which a form can be saved. With `?release=` in the address the form shows that release's texts.
 * @returns `change`: the texts that the shown release changes, by subject
 */
export async function readFormReleases(
  { app, user, request }: Pick<ScreenArguments, 'app' | 'user' | 'request'>,
  kind: TextKind,
  subjectIds: readonly string[],
): Promise<{ releases: FormReleases; change: ReadonlyMap<string, TextSnapshot> }> {
  const none = { open: [], of: [], chosenId: '', notice: null };
  if (!may(user, 'posts:publish')) return { releases: none, change: new Map() };
  const [open, items] = await Promise.all([listOpenReleases(app), listReleasesOfAny(app, kind, subjectIds)]);
  const changing = new Map<string, ChangingRelease>();
  for (const { release, action, ...item } of items) {
    const { goesBack = false, changes = [] } = changing.get(release.id) ?? {};
    changing.set(release.id, {
      ...release,
      goesBack: goesBack || action === 'restore',
      changes: [...changes, nameOfChange(item)],
    });
  }
  const of = [...changing.values()];
  const query = new URL(request.url).searchParams;
  const chosen = open.find(({ id }) => id === query.get('release') && !changing.get(id)?.goesBack);
  if (!chosen) return { releases: { ...none, open, of }, change: new Map() };
  const updates = items.filter(({ releaseId, action }) => releaseId === chosen.id && action === 'update');
  const change = new Map(updates.map(({ subjectId, fields }) => [subjectId, readTexts(fields) ?? {}]));
  const notice = query.has('kept')
    ? say('Saved for release “{name}”. Not public yet.', { name: chosen.name })
    : say('Preview of release “{name}”. Not public yet.', { name: chosen.name });
  return { releases: { open, of, chosenId: chosen.id, notice }, change };
}

/**
 * Saves a form to the release that the form names.
 * @returns null for a form without a release, which applies now
 * @throws AppError `forbidden`; `invalid_input` on `releaseId` for a release that is missing or published
 */
export async function saveToRelease(
  { app, user, form, request }: ActionArguments,
  page: string,
  collectTexts: () => WantedTexts[],
): Promise<Done | null> {
  const releaseId = form.values.releaseId ?? '';
  if (releaseId === '') return null;
  if (!may(user, 'posts:publish'))
    throw new AppError('forbidden', 'Your role can’t publish, so you can’t change releases. Ask an editor.');
  await requireOpenRelease(app, releaseId);
  const replaces = new URL(request.url).searchParams.get('release') === releaseId;
  const seen = form.values.releaseSeen?.split(' ');
  const wanted = collectTexts();
  await keepTextsInRelease(app, { releaseId, editorId: user.id, wanted, replaces, seen });
  return { location: `${page}?kept&release=${encodeURIComponent(releaseId)}`, id: releaseId };
}

/** The public texts of an account, as a release stores them. */
export function wantedAuthor(subjectId: string, { displayName, bio, picture, links }: Profile): WantedTexts {
  const named = Object.entries({ displayName, bio, picture, links }).filter(([, text]) => text !== undefined);
  return { kind: 'author', subjectId, texts: Object.fromEntries(named) as Record<string, string> };
}
