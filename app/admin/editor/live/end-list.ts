import { insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import type { Transaction } from '@codemirror/state';
import type { Command } from '@codemirror/view';

/** Continues a list or a quotation, also on an empty line. */
export const continueMarkup = insertNewlineContinueMarkupCommand({ nonTightLists: false });
const emptyItem = /^(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?\s*$/;

const emptyQuote = /^> ?$/;

/**
 * Enter continues a list or a quotation. In an empty item, or on an empty last line of a quotation, Enter ends the
 * block and leaves a blank line: in Markdown a line right below an item belongs to the item.
 */
export const continueOrEndList: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  let continued: Transaction | undefined;
  if (!continueMarkup({ state, dispatch: (transaction) => (continued = transaction) })) return false;
  const continuedLine = continued!.newDoc.lineAt(continued!.newSelection.main.head);
  const textBelow = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : '';
  const endsQuote = emptyQuote.test(line.text) && !textBelow.startsWith('>');
  const endsList = emptyItem.test(line.text) && continuedLine.text === '';
  const endsBlock = main.empty && (endsList || endsQuote);
  const followsText = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  if (!endsBlock || !followsText) view.dispatch(continued!);
  else
    view.dispatch({
      changes: { from: line.from, to: line.to, insert: state.lineBreak },
      selection: { anchor: line.from + 1 },
      scrollIntoView: true,
      userEvent: 'input',
    });
  return true;
};
