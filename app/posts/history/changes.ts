import * as z from 'zod';
import { parseJson } from '#app/platform/json.ts';
import {
  postFields,
  type PostFieldName,
  type FieldNameByDiff,
  type PostFields,
} from '#app/posts/fields/fields.ts';
import { isSeen, changedFields } from '#app/posts/fields/stored.ts';

const storedOutcome = z.object({
  /** Names of fields, in the order of the form. */
  changed: z.array(z.string()),
  from: z.string(),
  to: z.string(),
  /** The save dropped a scheduled update of the post. */
  hasDroppedUpdate: z.boolean().optional(),
  /** When the trigger was to make the change. Absent: somebody saved it at once. */
  dueAt: z.iso.datetime().optional(),
});

/** The result of a save: the changed fields, and the state before and after. */
export type RevisionOutcome = Omit<z.output<typeof storedOutcome>, 'changed'> & { changed: PostFieldName[] };

interface RevisionTexts {
  outcome: string;
  summary: string;
}

/** Reads a stored outcome. Null for a revision that is not a save, or from before outcomes were stored. */
export function readOutcome(json: string): RevisionOutcome | null {
  const read = storedOutcome.safeParse(parseJson(json)).data;
  return read
    ? { ...read, changed: read.changed.filter((name) => name in postFields) as PostFieldName[] }
    : null;
}

/**
 * The state before and after a save, and whether readers could see a change. Older revisions have this only in their
 * summary.
 */
export function readStep({ outcome, summary }: RevisionTexts): {
  from: string | null;
  to: string | null;
  hasChanges: boolean;
  dueAt: Date | null;
} {
  const read = readOutcome(outcome);
  if (read) {
    const { from, to, changed, dueAt } = read;
    return { from, to, hasChanges: isSeen(changed) || from !== to, dueAt: dueAt ? new Date(dueAt) : null };
  }
  const [, from = null, to = null] = /(\w+) → (\w+)/.exec(summary) ?? [];
  return { from, to, hasChanges: summary !== 'Saved without changes', dueAt: null };
}

/** What became of one field between two revisions. */
type FieldDiff =
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
