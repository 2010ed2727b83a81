import * as z from 'zod';
import { parseJson } from '#app/platform/json.ts';
import {
  postFieldNames,
  postFields,
  type PostFieldName,
  type PostFields,
  emptyPostFields,
} from './fields.ts';

/**
 * Why a revision was stored. `draft`: a draft as autosave wrote it; `prepare`: the text of a scheduled update;
 * `autosave`: an unsaved copy, an editor's changes; `conflict`: a save of a stale version.
 */
export type RevisionKind = 'save' | 'draft' | 'restore' | 'import' | 'prepare' | 'autosave' | 'conflict';

/** Kinds whose fields were saved to the post. The other kinds were never saved to it, or are not yet. */
export const savedKinds = ['save', 'draft', 'restore', 'import'] as const satisfies RevisionKind[];

/** The order of a post's revisions. Two of the same instant are ordered by version. */
export const newestFirst: { createdAt?: 'desc'; postVersion?: 'desc'; id?: 'desc' }[] = [
  { createdAt: 'desc' },
  { postVersion: 'desc' },
  { id: 'desc' },
];

/** Some fields of a post as JSON. */
export const storedPostFields = z
  .object(
    Object.fromEntries<z.ZodType>(
      postFieldNames.map((name) => [name, postFields[name].stored]),
    ) as StoredShape,
  )
  .partial();

type StoredShape = { [Name in PostFieldName]: z.ZodType<PostFields[Name]> };

/** The terms and accounts that the fields of a text name, as they were when it was stored (`readPresentFields`). */
export const termReferences = z.object({
  /** Without the tags that did not exist yet. */
  tags: z.array(z.object({ name: z.string(), id: z.string(), slug: z.string() })).default([]),
  categorySlug: z.string().optional(),
  /** Without guests. */
  authors: z.array(z.object({ username: z.string(), id: z.string(), displayName: z.string() })).default([]),
});
export type TermReferences = z.output<typeof termReferences>;

export const noReferences: TermReferences = { tags: [], authors: [] };

/** Fields of a post and what their terms were. */
export interface StoredText {
  fields: Partial<PostFields>;
  terms: TermReferences;
}

/** Fields as revisions, scheduled updates and releases store them. @param terms left out where there are none */
export function storeFields(fields: Partial<PostFields>, terms: TermReferences = noReferences): string {
  const hasTerms = terms.tags.length > 0 || terms.authors.length > 0 || terms.categorySlug !== undefined;
  return JSON.stringify({ ...fields, ...(hasTerms && { terms }) });
}

/** Reads what `storeFields` wrote. Fields that are not in it stay absent. Null for anything else. */
export function readStoredFields(json: string): Partial<PostFields> | null {
  return storedPostFields.safeParse(parseJson(json)).data ?? null;
}

/** The same with what its terms were. An older version of the server stored none. */
export function readStoredText(json: string): StoredText | null {
  const value = parseJson(json);
  const fields = storedPostFields.safeParse(value).data;
  const { terms = noReferences } = z.object({ terms: termReferences }).safeParse(value).data ?? {};
  return fields ? { fields, terms } : null;
}

/** All fields of a revision. Fields that did not exist yet are empty. Null when it cannot be read. */
export function readRevisionText(json: string): { fields: PostFields; terms: TermReferences } | null {
  const stored = readStoredText(json);
  return stored && { ...stored, fields: { ...emptyPostFields, ...stored.fields } };
}

/** The same without what its terms were. */
export function readRevisionFields(json: string): PostFields | null {
  return readRevisionText(json)?.fields ?? null;
}

/** What a form says besides the post's fields that its unsaved changes need when they are restored. */
export interface UnsavedForm {
  /** The time typed for a scheduled update. */
  changeAt: Date | null;
  /** The text version that the form showed at first (`textVersionOf`). */
  textVersion: string | null;
}

/** An editor's unsaved changes as their revision stores them: the fields, and what else the form says. */
export function storeUnsaved(
  { fields, terms }: { fields: PostFields; terms: TermReferences },
  { changeAt = null, textVersion = null }: Partial<UnsavedForm> = {},
): string {
  const unsaved = { ...fields, ...(changeAt && { changeAt }), ...(textVersion && { textVersion }) };
  return storeFields(unsaved, terms);
}

const unsavedForm = z.object({
  changeAt: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .nullable()
    .catch(null),
  textVersion: z.string().nullable().catch(null),
});

/** What `storeUnsaved` stored with the fields. */
export function readUnsavedForm(json: string): UnsavedForm {
  return unsavedForm.safeParse(parseJson(json)).data ?? { changeAt: null, textVersion: null };
}

/** The names of the fields that differ, in the order of the form. */
export function changedFields(before: PostFields, after: PostFields): (keyof PostFields)[] {
  return postFieldNames.filter((name) => !sameValue(before[name], after[name]));
}

/** True if readers see a difference when these fields change. */
export function isSeen(changed: readonly (keyof PostFields)[]): boolean {
  return changed.some((name) => !('unseen' in postFields[name]));
}

/** Equality of two values of one field. */
export function sameValue(a: PostFields[keyof PostFields], b: PostFields[keyof PostFields]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
