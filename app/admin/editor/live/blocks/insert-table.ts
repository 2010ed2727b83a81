import type { EditorView } from '@codemirror/view';
import { codeAt } from '#app/admin/editor/live/base/code-keys.ts';
import { paragraphAround } from '#app/admin/editor/live/base/paragraph.ts';
import { textFocused } from '#app/admin/editor/live/base/text-focus.ts';
import { enterTableAt } from './blocks.ts';

/** Inserts an empty table below the caret's line or code block and moves the caret into its first cell. */
export function insertTable(view: EditorView): void {
  const { state } = view;
  const caret = state.selection.main.to;
  const at = codeAt(state, caret)?.to ?? state.doc.lineAt(caret).to;
  const { lead, tail } = paragraphAround(state, at, at);
  const start = at + lead.length;
  // An empty line after a table at the end of the text, so that a tap below the table does not go into the table.
  const end = tail === '\n' && at === state.doc.length ? '\n\n' : tail;
  view.dispatch({
    changes: { from: at, insert: `${lead}|  |  |\n| --- | --- |\n|  |  |\n|  |  |${end}` },
    selection: { anchor: start + 2 },
    effects: textFocused.of(false),
    scrollIntoView: true,
    userEvent: 'input',
  });
  // The Markdown view has no grid. There the selection above is already in the first cell.
  if (!enterTableAt(view, start, 'above')) view.focus();
}
