import { syntaxTree } from '@codemirror/language';
import type { Command } from '@codemirror/view';

/** Enter after the language of a new, empty code block moves the caret to the block's first line. */
export const enterCode: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  if (!main.empty || main.head !== line.to || line.number + 2 > state.doc.lines) return false;
  if (state.doc.line(line.number + 1).text !== '') return false;
  const block = syntaxTree(state).resolveInner(line.from, 1).parent;
  if (block?.name !== 'FencedCode' || block.from !== line.from) return false;
  const last = state.doc.lineAt(block.to);
  // A block with other lines or without an end is not new.
  if (last.number !== line.number + 2 || !/^(?:`{3,}|~{3,})\s*$/.test(last.text)) return false;
  view.dispatch({ selection: { anchor: line.to + 1 }, scrollIntoView: true, userEvent: 'select' });
  return true;
};
