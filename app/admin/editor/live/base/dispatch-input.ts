import type { TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** Changes the text for somebody who uses a tool. The text has the focus first: CodeMirror reports a later return wrongly. */
export function dispatchInput(view: EditorView, spec: TransactionSpec): void {
  view.focus();
  view.dispatch(view.state.update(spec, { scrollIntoView: true, userEvent: 'input' }));
}
