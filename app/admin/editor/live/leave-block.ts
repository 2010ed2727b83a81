import type { EditorView } from '@codemirror/view';

/**
 * Puts the caret into the text below a table or picture, or above it where `step` is negative. Where there is no text below, an
 * empty line is made.
 */
export function leaveBlock(view: EditorView, block: { from: number; length: number }, step: number): void {
  const { from } = block;
  const to = from + block.length;
  if (step < 0 && from > 0) view.dispatch({ selection: { anchor: from - 1 } });
  else if (step > 0) {
    // A line right below the block would be a part of it, and one right above the next block a part of that one. The same
    // goes for a footnote's text.
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
