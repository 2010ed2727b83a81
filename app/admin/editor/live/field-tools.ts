import type { EditorView } from '@codemirror/view';
import { inlineMarks, type ToolName } from './base/tools.ts';
import { caretPosition } from './blocks/blocks.ts';
import { linkWords, toggleMark } from './tables/cell.ts';

/**
 * Runs a tool while a field within the text has the focus: marks and links go into a table's cell or a caption.
 * @returns false for any other tool or field
 */
export function runInField(view: EditorView, name: ToolName): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return false;
  if (!view.contentDOM.contains(field) || !field.matches('.md-cell > *, .md-figure-caption')) return false;
  const mark = inlineMarks[name];
  if (mark) return toggleMark(field, mark);
  return name === 'link' && linkWords(field);
}

/** Moves the caret into a new paragraph below a table whose cells are edited: there a tool adds its block. */
export function leaveTable(view: EditorView): void {
  const end = caretPosition(view.state);
  if (end === view.state.selection.main.head) return;
  view.focus();
  view.dispatch({
    changes: { from: end, insert: '\n\n' },
    selection: { anchor: end + 2 },
    userEvent: 'input',
  });
}
