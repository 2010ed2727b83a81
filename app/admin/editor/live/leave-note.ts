import type { EditorState } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import { isNote } from './pointers.ts';

const NOTE = /^ {0,3}(\[\^[^\]\s]+\]):/;

/** Esc in a footnote's own text leads behind its first reference, where the writing goes on. */
export const leaveNote: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const reference = noteAt(state, main.head);
  if (!main.empty || reference === null) return false;
  const text = state.sliceDoc();
  for (let at = text.indexOf(reference); at >= 0; at = text.indexOf(reference, at + 1)) {
    const end = at + reference.length;
    if (isNote(state, at)) continue;
    view.dispatch({ selection: { anchor: end }, scrollIntoView: true, userEvent: 'select' });
    return true;
  }
  return false;
};

/** How the note that this place belongs to is referred to; null outside of notes. */
function noteAt(state: EditorState, at: number): string | null {
  const here = state.doc.lineAt(at);
  if (here.text.trim() === '') return null;
  for (let { number } = here; number > 0; number -= 1) {
    const { text } = state.doc.line(number);
    const reference = NOTE.exec(text)?.[1];
    if (reference) return reference;
    // A paragraph that is not indented, behind a blank line, belongs to no note.
    const isFirst = number === 1 || state.doc.line(number - 1).text.trim() === '';
    if (isFirst && !/^(?: {2,}|\t|$)/.test(text)) return null;
  }
  return null;
}
