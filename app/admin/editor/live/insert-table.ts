import type { EditorView } from '@codemirror/view';
import { enterTableAt } from './blocks.ts';
import { paragraphAround } from './paragraph.ts';
import { textFocused } from './text-focus.ts';

/** An empty table below the line of the caret, which goes into its first cell. */
export function insertTable(view: EditorView): void {
  const { state } = view;
  const at = state.doc.lineAt(state.selection.main.to).to;
  const { lead, tail } = paragraphAround(state, at, at);
  const start = at + lead.length;
  // A tap below the last table finds a line that is no row of it.
  const end = tail === '\n' && at === state.doc.length ? '\n\n' : tail;
  view.dispatch({
    changes: { from: at, insert: `${lead}|  |  |\n| --- | --- |\n|  |  |\n|  |  |${end}` },
    selection: { anchor: start + 2 },
    effects: textFocused.of(false),
    scrollIntoView: true,
    userEvent: 'input',
  });
  // In the source there is no grid: the caret is in the first cell.
  if (!enterTableAt(view, start, 'above')) view.focus();
}
