import { StateEffect, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/**
 * Whether the text itself has the focus. False while a field inside the text, such as a table's cell, has the focus.
 */
export const textFocused = StateEffect.define<boolean>();

/** A field within the text that takes marks and links: a table's cell or a caption. */
export type TextField = HTMLTextAreaElement | HTMLInputElement;

/** The field within the text that has the focus; null: the text itself has it, or something else. */
export function focusedFieldIn(view: EditorView): TextField | null {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return null;
  return view.contentDOM.contains(field) && field.matches('.md-cell > *, .md-figure-caption') ? field : null;
}

/** Changes the text for somebody who uses a tool. The text has the focus first: CodeMirror reports a later return wrongly. */
export function dispatchInput(view: EditorView, spec: TransactionSpec): void {
  view.focus();
  view.dispatch(view.state.update(spec, { scrollIntoView: true, userEvent: 'input' }));
}
