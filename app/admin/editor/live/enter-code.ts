import { syntaxTree } from '@codemirror/language';
import type { Command } from '@codemirror/view';

/** Enter behind the language of a new code block leads to its first line, which is empty and waits below. */
export const enterCode: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  if (!main.empty || main.head !== line.to || line.number + 2 > state.doc.lines) return false;
  if (state.doc.line(line.number + 1).text !== '') return false;
  const block = syntaxTree(state).resolveInner(line.from, 1).parent;
  if (block?.name !== 'FencedCode' || block.from !== line.from) return false;
  const last = state.doc.lineAt(block.to);
  // Other lines, or an end that is missing: the block is no new one.
  if (last.number !== line.number + 2 || !/^(?:`{3,}|~{3,})\s*$/.test(last.text)) return false;
  view.dispatch({ selection: { anchor: line.to + 1 }, scrollIntoView: true, userEvent: 'select' });
  return true;
};
