import type { EditorState } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import { footnoteStart, isFootnoteText } from './blocks/pointers.ts';

/** Esc in the text of a footnote moves the caret to just after the footnote's first reference. */
export const leaveNote: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const reference = noteAt(state, main.head);
  if (!main.empty || reference === null) return false;
  const text = state.sliceDoc();
  for (let at = text.indexOf(reference); at >= 0; at = text.indexOf(reference, at + 1)) {
    const end = at + reference.length;
    if (isFootnoteText(state, at)) continue;
    view.dispatch({ selection: { anchor: end }, scrollIntoView: true, userEvent: 'select' });
    return true;
  }
  return false;
};

/** The reference `[^…]` of the footnote whose text contains a position; null outside of footnotes. */
function noteAt(state: EditorState, at: number): string | null {
  const line = state.doc.lineAt(at);
  if (line.text.trim() === '') return null;
  for (let { number } = line; number > 0; number -= 1) {
    const { text } = state.doc.line(number);
    const reference = footnoteStart.exec(text)?.[1];
    if (reference) return reference;
    // A paragraph that follows a blank line and is not indented does not belong to a footnote.
    const isFirst = number === 1 || state.doc.line(number - 1).text.trim() === '';
    if (isFirst && !/^(?: {2,}|\t|$)/.test(text)) return null;
  }
  return null;
}
