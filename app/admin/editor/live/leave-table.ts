import type { EditorView } from '@codemirror/view';

/**
 * Puts the caret into the text below a table, or above it where `step` is negative. Where there is no text below, an
 * empty line is made.
 */
export function leaveTable(view: EditorView, table: { from: number; length: number }, step: number): void {
  const { from } = table;
  const to = from + table.length;
  if (step < 0 && from > 0) view.dispatch({ selection: { anchor: from - 1 } });
  else if (step > 0) {
    // A line right below the table would be a row of it.
    const missing = '\n\n'.slice(/^\n{0,2}/.exec(view.state.sliceDoc(to, to + 2))![0].length);
    view.dispatch({
      changes: { from: to, insert: missing },
      selection: { anchor: to + 2 },
      scrollIntoView: true,
    });
  }
  view.focus();
}
