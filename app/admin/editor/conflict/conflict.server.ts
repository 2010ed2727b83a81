import type { Db } from '#app/platform/services.ts';
import { occurrencesOf, type EditorIntent } from '#app/admin/editor/model/form.server.ts';
import type { App } from '#app/app.ts';
import { postsKnownTo, type Actor } from '#app/people/roles.ts';
import { postFields, type PostFields, formValues } from '#app/posts/fields/fields.ts';
import { BODY_MAX_BYTES } from '#app/posts/fields/schemas.ts';
import type { EditedText } from '#app/posts/fields/states.ts';
import type { PostConflict } from '#app/posts/history/conflict.server.ts';
import { collides, isChanged, joinPassages, type Passage, type Take } from '#app/posts/history/passages.ts';

/** A field with different values in the two versions. */
export interface ConflictField {
  name: string;
  label: string;
  changedBy: 'me' | 'them' | 'both';
  mine: string;
  theirs: string;
}

/** The texts of both versions, paragraph by paragraph. */
export interface ConflictText {
  /** `merged`: the result contains all changes. `mine`: it has not, since both versions changed the same lines. */
  outcome: 'merged' | 'mine';
  passages: Passage[];
  /** The version of each changed passage that the result has. */
  chosen: Take[];
  /** The body of the refused form. Null for a text that is too long to be sent a second time with the choices. */
  typed: string | null;
  /** The version and the text version from which the refused form was made. */
  opened: { version: number; releaseText: string };
}

export interface PressedForm {
  intent: EditorIntent;
  /** For `prepare`: the typed time, and which of two equal ones it is. */
  changeAt: string;
  changeAtOccurrence: string;
  releaseId: string | null;
  /** The text of the form: the live or the scheduled one. */
  edit: EditedText;
  /** True when the update of which the form has the text is no longer scheduled. */
  isUpdateGone: boolean;
  /** The text version that the page shows; blank: none. */
  releaseText: string;
  /** The name of the category that the save creates; blank: none. */
  newCategory: string;
}

/** The 409 page: both versions, and a form with the two merged. */
export interface ConflictPage extends PressedForm {
  savedBy: string | null;
  savedAt: Date;
  /** The version number that the form with the resolved text sends. */
  version: number;
  fields: ConflictField[];
  /** The form's values, with both versions merged as far as possible. */
  resolved: Record<string, string>;
  /** Null unless the versions have different texts. */
  text: ConflictText | null;
}

/**
 * Merges the two versions.
 * @param conflict from `readConflict`
 * @param opened what the refused form was made from
 */
export async function readConflictPage(
  app: Pick<App, 'db' | 'workers'>,
  conflict: PostConflict,
  {
    pressed,
    opened,
    timeZone,
    user,
  }: { pressed: PressedForm; opened: ConflictText['opened']; timeZone: string; user: Actor },
): Promise<ConflictPage> {
  const [mine, theirs] = [formValues(conflict.mine, timeZone), formValues(conflict.theirs, timeZone)];
  const names = await nameReferences(app, user, [conflict.mine, conflict.theirs]);
  const shown = (values: Record<string, string>, name: keyof PostFields) =>
    names.get(values[name] ?? '') ?? values[name] ?? '';
  const text = await compareBodies(app, conflict, opened);
  // A form has no seconds, so an unchanged time may differ from the stored one only in its seconds.
  const differences = conflict.differences.filter(({ field }) => mine[field] !== theirs[field]);
  return {
    savedBy: conflict.savedBy,
    savedAt: conflict.savedAt,
    version: conflict.version,
    fields: differences.map(({ field, changedBy }) => ({
      name: field,
      label: postFields[field].label,
      changedBy,
      mine: shown(mine, field),
      theirs: shown(theirs, field),
    })),
    resolved: {
      ...formValues(conflict.merged, timeZone),
      ...occurrencesOf(conflict.merged, timeZone),
      ...(text && { body: joinPassages(text.passages) }),
    },
    text,
    ...pressed,
  };
}

async function compareBodies(
  { workers }: Pick<App, 'workers'>,
  { base, mine, theirs }: PostConflict,
  opened: ConflictText['opened'],
): Promise<ConflictText | null> {
  if (mine.body === theirs.body) return null;
  const passages = await workers.comparePassages(base && base.body, mine.body, theirs.body);
  const changed = passages.filter(isChanged);
  const sent = Buffer.byteLength(mine.body) + Buffer.byteLength(joinPassages(passages));
  return {
    outcome: changed.some(collides) ? 'mine' : 'merged',
    passages,
    chosen: changed.map(({ take }) => take),
    typed: sent > BODY_MAX_BYTES ? null : mine.body,
    opened,
  };
}

/** The names of the categories, pictures and parent pages of these texts, by id. */
export async function nameReferences(
  app: Db,
  user: Actor,
  texts: readonly PostFields[],
): Promise<Map<string, string>> {
  const ids = (name: 'categoryId' | 'coverMediaId' | 'parentId') =>
    texts.flatMap((fields) => fields[name] ?? []);
  const [categories, images, pages] = await Promise.all([
    app.db.category.findMany({ where: { id: { in: ids('categoryId') } }, select: { id: true, name: true } }),
    app.db.media.findMany({
      where: { id: { in: ids('coverMediaId') } },
      select: { id: true, originalName: true },
    }),
    app.db.post.findMany({
      where: { id: { in: ids('parentId') }, ...postsKnownTo(user) },
      select: { id: true, title: true },
    }),
  ]);
  return new Map([
    ...categories.map(({ id, name }) => [id, name] as const),
    ...images.map(({ id, originalName }) => [id, originalName] as const),
    ...pages.map(({ id, title }) => [id, title] as const),
  ]);
}
