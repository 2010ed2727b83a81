import {
  postFields,
  type FieldNameByDiff,
  type PostFieldName,
  type PostFields,
} from '#app/posts/fields/fields.ts';
import { changedFields } from '#app/posts/fields/stored.ts';

/** What became of one field between two revisions. */
export type FieldDiff =
  | { field: FieldNameByDiff<'text'>; kind: 'text'; before: string; after: string }
  | { field: FieldNameByDiff<'list'>; kind: 'list'; added: string[]; removed: string[] }
  | {
      field: FieldNameByDiff<'value'>;
      kind: 'value';
      before: string | Date | null;
      after: string | Date | null;
    };

/** The fields that differ between two revisions. Pure. `Workers.compareTexts` compares the texts. */
export function diffFields(before: PostFields, after: PostFields): FieldDiff[] {
  return changedFields(before, after).map((field) => diffField(field, before, after));
}

function diffField(field: PostFieldName, before: PostFields, after: PostFields): FieldDiff {
  if (isKind(field, 'text')) return { field, kind: 'text', before: before[field], after: after[field] };
  if (isKind(field, 'value')) return { field, kind: 'value', before: before[field], after: after[field] };
  const [old, current] = [before[field], after[field]];
  return {
    field,
    kind: 'list',
    added: current.filter((item) => !old.includes(item)),
    removed: old.filter((item) => !current.includes(item)),
  };
}

function isKind<Kind extends 'text' | 'list' | 'value'>(
  field: PostFieldName,
  kind: Kind,
): field is FieldNameByDiff<Kind> {
  return postFields[field].diff === kind;
}
