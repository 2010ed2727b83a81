import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import type { Profile } from '#app/people/accounts/form.ts';
import { may } from '#app/people/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { say, type Message } from '#app/platform/message.ts';
import { keepTextsInRelease, type WantedTexts } from '#app/publishing/releases/texts.server.ts';
import { nameOfChange, readTexts, type TextSnapshot } from '#app/releases/item-changes.ts';
import type { TextKind } from '#app/releases/live-texts.server.ts';
import { listOpenReleases, listReleasesOfAny, type ReleaseChoice } from '#app/releases/queries.server.ts';
import { requireOpenRelease } from './access.server.ts';

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
