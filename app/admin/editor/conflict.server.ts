import { applyPatch, structuredPatch } from 'diff';
import { shownLines, type ShownLine } from '#app/admin/revisions/shown-lines.ts';
import type { App } from '#app/app.ts';
import type { PostConflict } from '#app/posts/conflict.server.ts';
import { formValues } from '#app/posts/field-values.ts';
import { postFields, type PostFields } from '#app/posts/fields.ts';
import { occurrencesOf, type EditorIntent } from './editor-form.server.ts';

/** A field with different values in the two versions. */
export interface ConflictField {
  name: string;
  label: string;
  changedBy: 'me' | 'them' | 'both';
  mine: string;
  theirs: string;
}

/** The 409 page: both versions, and a form with the two merged. */
export interface ConflictPage {
  savedBy: string | null;
  savedAt: Date;
  /** The version number that the form with the resolved text sends. */
  version: number;
  fields: ConflictField[];
  /** The form's values, with both versions merged as far as possible. */
  resolved: Record<string, string>;
  text: {
    /** `merged`: the result contains both changes, since they are in different places of the text. */
    outcome: 'merged' | 'mine';
    /** The changes in each version; without a common earlier text, the changes from the other version to the user's. */
    changes: { label: string; lines: ShownLine[] }[];
  } | null;
  /** The value of the button that was pressed. */
  intent: EditorIntent;
  /** For `prepare`: the typed time, and which of two equal ones it is. */
  changeAt: string;
  changeAtOccurrence: string;
  /** The release to which the form is saved. */
  releaseId: string | null;
  /** The text version that the page shows; blank: none. */
  releaseText: string;
  /** The name of the category that the save creates; blank: none. */
  newCategory: string;
}

/**
 * Merges the two versions.
 * @param conflict from `readConflict`
 * @param pressed the button, and what else the form says that is no field of the post
 */
export async function readConflictPage(
  app: Pick<App, 'db'>,
  conflict: PostConflict,
  pressed: Pick<
    ConflictPage,
    'intent' | 'changeAt' | 'changeAtOccurrence' | 'releaseId' | 'releaseText' | 'newCategory'
  >,
  timeZone: string,
): Promise<ConflictPage> {
  const [mine, theirs] = [formValues(conflict.mine, timeZone), formValues(conflict.theirs, timeZone)];
  const names = await readNames(app, conflict);
  const shown = (values: Record<string, string>, name: keyof PostFields) =>
    names.get(values[name] ?? '') ?? values[name] ?? '';
  const text = mergeTexts(conflict);
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
      ...(text?.merged === undefined ? {} : { body: text.merged }),
    },
    text: text && {
      outcome: text.merged === undefined ? 'mine' : 'merged',
      changes: text.changes,
    },
    ...pressed,
  };
}

/** Null unless both versions changed the text. */
function mergeTexts({ base, mine, theirs, differences }: PostConflict) {
  if (!differences.some(({ field, changedBy }) => field === 'body' && changedBy === 'both')) return null;
  if (!base)
    return {
      merged: undefined,
      changes: [{ label: 'From the other version to yours', lines: shownLines(theirs.body, mine.body) }],
    };
  const patch = structuredPatch('', '', base.body, mine.body, '', '', { context: 1 });
  const merged = applyPatch(theirs.body, patch);
  return {
    merged: merged === false ? undefined : merged,
    changes: [
      { label: 'Changed in the other version', lines: shownLines(base.body, theirs.body) },
      { label: 'Changed in yours', lines: shownLines(base.body, mine.body) },
    ],
  };
}

/** The names of the categories, pictures and parent pages of both versions, by id. */
async function readNames(app: Pick<App, 'db'>, { mine, theirs }: PostConflict): Promise<Map<string, string>> {
  const ids = (name: 'categoryId' | 'coverMediaId' | 'parentId') =>
    [mine[name], theirs[name]].flatMap((id) => id ?? []);
  const [categories, images, pages] = await Promise.all([
    app.db.category.findMany({ where: { id: { in: ids('categoryId') } }, select: { id: true, name: true } }),
    app.db.media.findMany({
      where: { id: { in: ids('coverMediaId') } },
      select: { id: true, originalName: true },
    }),
    app.db.post.findMany({ where: { id: { in: ids('parentId') } }, select: { id: true, title: true } }),
  ]);
  return new Map([
    ...categories.map(({ id, name }) => [id, name] as const),
    ...images.map(({ id, originalName }) => [id, originalName] as const),
    ...pages.map(({ id, title }) => [id, title] as const),
  ]);
}
