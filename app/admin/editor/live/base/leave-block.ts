import type { EditorView } from '@codemirror/view';

/**
 * Moves the caret to the text below a table or picture, or above it if `step` is negative. Adds an empty line if there
 * is no text below.
 */
export function leaveBlock(view: EditorView, block: { from: number; length: number }, step: number): void {
  const { from } = block;
  const to = from + block.length;
  if (step < 0 && from > 0) view.dispatch({ selection: { anchor: from - 1 } });
  else if (step > 0) {
    // Markdown takes a line right below the block as a part of it. It takes a line right above a table, picture or
    // footnote text as a part of that. So blank lines must separate the new line from both.
    const after = view.state.sliceDoc(to, to + 5);
    const ends = /^\n{0,2}/.exec(after)![0].length;
    const missing = '\n\n'.slice(ends) + (/^(?:[|!]|\[\^)/.test(after.slice(ends)) ? '\n\n' : '');
    view.dispatch({
      changes: { from: to, insert: missing },
      selection: { anchor: to + 2 },
      scrollIntoView: true,
    });
  }
  view.focus();
}
