import { diffArrays, diffLines } from 'diff';
import { postFields, type FieldNameByDiff, type PostFieldName, type PostFields } from './fields.ts';
import { changedFields } from './revision.ts';

/** A run of text that stayed, was added or was removed. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** A line of the newer text, or a removed one, split into words that stayed or changed. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  parts: DiffPart[];
}

/** What became of one field between two revisions. */
export type FieldDiff =
  | { field: FieldNameByDiff<'text'>; kind: 'text'; lines: DiffLine[] }
  | { field: FieldNameByDiff<'list'>; kind: 'list'; added: string[]; removed: string[] }
  | {
      field: FieldNameByDiff<'value'>;
      kind: 'value';
      before: string | Date | null;
      after: string | Date | null;
    };

/** Texts that differ in more lines or words than this are shown as replaced: the search is quadratic. */
const MAX_EDITS = 500;
/** Limits of the comparison by words: this many lines of this many characters. */
const MAX_COMPARED_LINES = 300;
const MAX_COMPARED_LENGTH = 5_000;

/** The fields that differ between two revisions, texts by lines and words. Pure. Unchanged lines are included. */
export function diffFields(before: PostFields, after: PostFields): FieldDiff[] {
  return changedFields(before, after).map((field) => diffField(field, before, after));
}

function diffField(field: PostFieldName, before: PostFields, after: PostFields): FieldDiff {
  if (isKind(field, 'text')) return { field, kind: 'text', lines: diffText(before[field], after[field]) };
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

/** Compares two texts line by line. A removed line and the added line that replaces it are compared word by word. */
export function diffText(before: string, after: string): DiffLine[] {
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS, ignoreNewlineAtEof: true }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines: DiffLine[] = [];
  let comparable = MAX_COMPARED_LINES;
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index]!;
    const next = changes[index + 1];
    if (change.removed && next?.added) {
      const [removed, added] = [linesOf(change.value), linesOf(next.value)];
      lines.push(...replacedLines(removed, added, comparable));
      comparable = Math.max(0, comparable - Math.min(removed.length, added.length));
      index += 1;
    } else {
      lines.push(...linesOf(change.value).map((text) => wholeLine(kindOf(change), text)));
    }
  }
  return lines;
}

// Lines are paired in order; unpaired ones follow the pairs.
function replacedLines(removed: string[], added: string[], comparable: number): DiffLine[] {
  const pairs = Math.min(removed.length, added.length, comparable);
  const lines: DiffLine[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const parts = comparedWords(removed[index]!, added[index]!);
    if (parts) {
      lines.push({ kind: 'removed', parts: parts.filter(({ kind }) => kind !== 'added') });
      lines.push({ kind: 'added', parts: parts.filter(({ kind }) => kind !== 'removed') });
    } else {
      lines.push(wholeLine('removed', removed[index]!), wholeLine('added', added[index]!));
    }
  }
  lines.push(...removed.slice(pairs).map((text) => wholeLine('removed', text)));
  lines.push(...added.slice(pairs).map((text) => wholeLine('added', text)));
  return lines;
}

/** Null if a comparison by words would only confuse: the lines share nothing but spaces, or are too long. */
function comparedWords(before: string, after: string): DiffPart[] | null {
  if (before.length > MAX_COMPARED_LENGTH || after.length > MAX_COMPARED_LENGTH) return null;
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS });
  const parts = changes?.map((change): DiffPart => ({ kind: kindOf(change), text: change.value.join('') }));
  return parts?.some(({ kind, text }) => kind === 'same' && text.trim() !== '') ? parts : null;
}

// Also finds words in scripts without spaces, and keeps every character.
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

function wordsOf(line: string): string[] {
  return Array.from(segmenter.segment(line), ({ segment }) => segment);
}

function kindOf(change: { added: boolean; removed: boolean }): DiffPart['kind'] {
  if (change.added) return 'added';
  return change.removed ? 'removed' : 'same';
}

function wholeLine(kind: DiffLine['kind'], text: string): DiffLine {
  return { kind, parts: text === '' ? [] : [{ kind, text }] };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
