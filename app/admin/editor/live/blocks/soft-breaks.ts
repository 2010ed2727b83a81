import { syntaxTree } from '@codemirror/language';
import { RangeSetBuilder, StateField, type EditorState, type Text } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { Tree } from '@lezer/common';
import { footnoteStart } from './pointers.ts';

/** A line feed within a paragraph is a space on the page. */
class SpaceWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    const space = document.createElement('span');
    space.className = 'md-space';
    space.textContent = ' ';
    return space;
  }
}

const space = Decoration.replace({ widget: new SpaceWidget() });

/** Shows the line feeds within paragraphs as spaces. */
export const softBreaks = StateField.define<DecorationSet>({
  create: findSoftBreaks,
  update(before, { state, startState, docChanged, changes }) {
    if (!docChanged && syntaxTree(startState) === syntaxTree(state)) return before;
    const shown = findSoftBreaks(state);
    const { length } = syntaxTree(state);
    if (length >= state.doc.length) return shown;
    // What a slow machine has not parsed yet stays as it was.
    return before.map(changes).update({ filter: (from) => from > length, add: rangesOf(shown) });
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The line feeds that touch a range and are shown as spaces, each with the indent of the next line. */
export function softBreaksIn(state: EditorState, from: number, to: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  state.field(softBreaks, false)?.between(from, to, (from, to) => void spans.push({ from, to }));
  return spans;
}

function rangesOf(set: DecorationSet) {
  const ranges = [];
  for (const cursor = set.iter(); cursor.value; cursor.next())
    ranges.push(cursor.value.range(cursor.from, cursor.to));
  return ranges;
}

function findSoftBreaks(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  addBlocks(syntaxTree(state), 0, state.doc, builder);
  return builder.finish();
}

/** The breaks of each block, from its beginning. The parser keeps the trees of blocks that did not change. */
const known = new WeakMap<Tree, readonly (readonly [number, number])[]>();

function addBlocks(tree: Tree, start: number, doc: Text, builder: RangeSetBuilder<Decoration>): void {
  for (const [index, child] of tree.children.entries()) {
    if (!(child instanceof Tree)) continue;
    const from = start + tree.positions[index]!;
    if (child.type.isAnonymous) {
      addBlocks(child, from, doc, builder);
      continue;
    }
    let breaks = known.get(child);
    if (!breaks) known.set(child, (breaks = breaksOf(child, from, doc)));
    for (const [at, end] of breaks) builder.add(from + at, from + end, space);
  }
}

function breaksOf(block: Tree, start: number, doc: Text): [number, number][] {
  const breaks: [number, number][] = [];
  block.iterate({
    enter: ({ name, from, to, node }) => {
      // Enter in a quotation begins a line with its mark, so its lines stay as they are.
      if (name === 'Blockquote') return false;
      if (name !== 'Paragraph' && name !== 'Task') return true;
      const hard: number[] = [];
      node.cursor().iterate((inner) => void (inner.name === 'HardBreak' && hard.push(start + inner.to)));
      addParagraph({ from: start + from, to: start + to, hard });
      return false;
    },
  });
  return breaks;

  function addParagraph({ from, to, hard }: { from: number; to: number; hard: number[] }): void {
    const text = doc.sliceString(from, to);
    // A formula, and pictures one below the other, are blocks on the page.
    if (!text.includes('\n') || /^\s*(?:\$\$|!\[)/.test(text)) return;
    for (const {
      index,
      0: { length },
    } of text.matchAll(/\n[ \t]*/g)) {
      const [at, end] = [from + index, from + index + length];
      const next = text.slice(index + length);
      // A footnote, and the row of a table that is being typed.
      const isLine = footnoteStart.test(next) || next.startsWith('|');
      if (isLine || hard.some((each) => each > at && each <= end)) continue;
      breaks.push([at - start, end - start]);
    }
  }
}
