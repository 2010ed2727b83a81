import { recordOf } from '#app/platform/narrow.ts';
import type { PostField } from './field-type.ts';
import { postFieldNames, postFields, type PostFieldName, type PostFields } from './fields.ts';

/** An object with a value for each of these fields. */
export function mapFields<Name extends PostFieldName, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return recordOf(names, valueOf);
}

/** Copies these fields of an object that has them under the same names. */
export function pickFields<Name extends PostFieldName, Source extends Record<Name, unknown>>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  return mapFields(names, (name) => source[name]) as Pick<Source, Name>;
}

/** The fields of a post that does not exist yet. */
export const emptyPostFields = mapFields(postFieldNames, (name) => postFields[name].empty) as PostFields;

/** What the editor shows in each field: texts as a form has them. */
export function formValues(fields: PostFields, timeZone: string): Record<PostFieldName, string> {
  return mapFields(postFieldNames, (name) => {
    const { toForm } = postFields[name] as PostField<PostFields[typeof name]>;
    return toForm(fields[name], timeZone);
  });
}
