import { ChangeSet, type EditorState, type Text } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { parsedTree, partsIn, type Part, type Span } from '#app/admin/editor/live/blocks/inline-parts.ts';
import { pageMarkdown } from './base/page-markdown.ts';

/** How a change of the text fits the marks beside it. */
export interface Fit {
  changes: ChangeSet;
  caret: number;
  /** The closing marks that the next typed word belongs before; null for none. */
  goesOn: Span | null;
}

interface Edit extends Span {
  insert: string;
}

const blocks = /^(?:Paragraph|Task|ATXHeading\d|SetextHeading\d|TableCell)$/;

/** The paragraph, heading or cell at a position. */
export function blockAround(state: EditorState, at: number): SyntaxNode | null {
  const tree = parsedTree(state, state.doc.lineAt(at).to);
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = tree.resolveInner(at, side); node; node = node.parent)
      if (blocks.test(node.name)) return node;
  return null;
}

/** The names of the marks in a block, without those that go. */
export function marksOf(state: EditorState, block: Span, gone: readonly Part[] = []): string[] {
  return marksIn(state.sliceDoc(block.from, block.to), ({ name, from }) =>
    gone.some((part) => part.name === name && part.from === from + block.from),
  );
}

const counted = /^(?:Emphasis|StrongEmphasis|Strikethrough|InlineCode|Link|Autolink|Image|Escape|HardBreak)$/;

function marksIn(text: string, isGone: (node: SyntaxNode) => boolean = () => false): string[] {
  const names: string[] = [];
  pageMarkdown.parser.parse(text).iterate({
    enter: ({ name, node }) => {
      if (counted.test(name) && !isGone(node)) names.push(name);
    },
  });
  return names;
}

/**
 * A change with what else it takes to keep the marks of its block; null if nothing keeps them. A mark beside a space
 * opens or closes nothing, nor does `_` beside a letter, nor `**` between a full stop and a letter.
 * @param near the new text that may break marks, and the caret, both after the change
 */
export function fit(
  state: EditorState,
  changes: ChangeSet,
  { block, expected, near, caret }: { block: Span; expected: readonly string[]; near: Span; caret: number },
): Fit | null {
  const doc = changes.apply(state.doc);
  const [start, end] = [changes.mapPos(block.from, -1), changes.mapPos(block.to, 1)];
  const marksAfter = (edits: readonly Edit[]) => {
    const text = doc.slice(start, end);
    const moved = edits.map(({ from, to, insert }) => ({ from: from - start, to: to - start, insert }));
    return marksIn(ChangeSet.of(moved, text.length).apply(text).toString());
  };
  const isFitting = (edits: readonly Edit[]) => String(marksAfter(edits)) === String(expected);
  if (isFitting([])) return { changes, caret, goesOn: null };
  const parts = partsIn(state, block.from, block.to).filter(({ kind }) => kind !== 'whole');
  const marks = parts.flatMap(({ open, close }) => [mapped(changes, open), mapped(changes, close)]);
  const opening = runs(parts.map(({ open }) => mapped(changes, open)));
  const closing = runs(parts.map(({ close }) => mapped(changes, close)));
  const touches = ({ from, to }: Span) => from <= near.to && to >= near.from;
  for (const pattern of [String.raw`\s`, String.raw`[\s\p{P}]`]) {
    const moves = [
      ...opening.map((run) => moveBefore(doc, run, new RegExp(`^${pattern}+`, 'u'), end)),
      ...closing.map((run) => moveBehind(doc, run, new RegExp(`${pattern}+$`, 'u'), start)),
    ].flatMap((move) => (move && touches(move.span) && !cutsMark(move.span, marks, move.run) ? move : []));
    if (moves.length > 0 && isFitting(moves.flatMap(({ edits }) => edits)))
      return moveWords(changes, doc, moves, caret);
  }
  const stars = parts
    .map(({ open, close }) => [mapped(changes, open), mapped(changes, close)])
    .filter((pair) => pair.some(touches))
    .flat()
    .flatMap((mark) => {
      const sign = doc.sliceString(mark.from, mark.to);
      return /^_+$/.test(sign) ? { ...mark, insert: '*'.repeat(sign.length) } : [];
    });
  if (stars.length > 0 && isFitting(stars))
    return { changes: changes.compose(ChangeSet.of(stars, doc.length)), caret, goesOn: null };
  // Words with the same look that have come together are one piece.
  for (const first of parts.map(({ close }) => mapped(changes, close)))
    for (const next of parts.map(({ open }) => mapped(changes, open))) {
      const sign = doc.sliceString(first.from, first.to);
      const isJoint =
        sign !== '' &&
        first.to === next.from &&
        sign === doc.sliceString(next.from, next.to) &&
        touches(first);
      if (!isJoint) continue;
      const joint = [{ from: first.from, to: next.to, insert: '' }];
      if (marksAfter(joint).length !== expected.length - 1) continue;
      const further = ChangeSet.of(joint, doc.length);
      return { changes: changes.compose(further), caret: further.mapPos(caret), goesOn: null };
    }
  return null;
}

function mapped(changes: ChangeSet, { from, to }: Span): Span {
  const start = changes.mapPos(from, 1);
  return { from: start, to: Math.max(start, changes.mapPos(to, -1)) };
}

/** Spans that touch or overlap, as one span each. */
export function merged(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && span.from <= last.to)
      found[found.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else found.push(span);
  }
  return found;
}

/** Marks that directly follow each other, as one span each. */
function runs(marks: readonly Span[]): Span[] {
  return merged(marks.filter(({ from, to }) => from < to));
}

/** Characters at the inner side of marks that move to their outer side. */
interface Move {
  run: Span;
  /** The marks with these characters. */
  span: Span;
  /** The characters, before and after the move. */
  words: Span;
  to: number;
  isClosing: boolean;
  edits: Edit[];
}

function moveBefore(doc: Text, run: Span, pattern: RegExp, end: number): Move | null {
  const [words] = pattern.exec(doc.sliceString(run.to, end)) ?? [];
  if (words === undefined) return null;
  const from = { from: run.to, to: run.to + words.length };
  const edits = [
    { from: run.from, to: run.from, insert: words },
    { ...from, insert: '' },
  ];
  return { run, span: { from: run.from, to: from.to }, words: from, to: run.from, isClosing: false, edits };
}

function moveBehind(doc: Text, run: Span, pattern: RegExp, start: number): Move | null {
  const [words] = pattern.exec(doc.sliceString(start, run.from)) ?? [];
  if (words === undefined) return null;
  const from = { from: run.from - words.length, to: run.from };
  const edits = [
    { ...from, insert: '' },
    { from: run.to, to: run.to, insert: words },
  ];
  const to = run.to - words.length;
  return { run, span: { from: from.from, to: run.to }, words: from, to, isClosing: true, edits };
}

/** True if the characters that would move contain another mark. */
function cutsMark(span: Span, marks: readonly Span[], run: Span): boolean {
  return marks.some(({ from, to }) => {
    const isOfRun = from >= run.from && to <= run.to;
    return !isOfRun && from < to && from < span.to && to > span.from;
  });
}

function moveWords(changes: ChangeSet, doc: Text, moves: readonly Move[], caret: number): Fit {
  const further = ChangeSet.of(
    moves.flatMap(({ edits }) => edits),
    doc.length,
  );
  const all = changes.compose(further);
  const around = moves.find(({ words }) => caret >= words.from && caret <= words.to);
  if (!around) return { changes: all, caret: further.mapPos(caret), goesOn: null };
  const { run, words, isClosing } = around;
  const length = words.to - words.from;
  const isLast = isClosing && caret === words.to;
  return {
    changes: all,
    caret: around.to + (caret - words.from),
    goesOn: isLast ? { from: run.from - length, to: run.to - length } : null,
  };
}
