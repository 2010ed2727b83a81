import { insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import type { Transaction } from '@codemirror/state';
import type { Command } from '@codemirror/view';

/** Continues a list or a quotation, on an empty line too. */
export const continueMarkup = insertNewlineContinueMarkupCommand({ nonTightLists: false });
const emptyItem = /^(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?\s*$/;

const emptyQuote = /^> ?$/;

/**
 * Enter continues a list or a quotation. In an empty item, or on an empty last line of a quotation, Enter ends the
 * block and leaves a blank line: Markdown takes a line right below an item as a part of the item.
 */
export const continueOrEndList: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  let continued: Transaction | undefined;
  if (!continueMarkup({ state, dispatch: (transaction) => (continued = transaction) })) return false;
  const next = continued!.newDoc.lineAt(continued!.newSelection.main.head);
  const below = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : '';
  const endsQuote = emptyQuote.test(line.text) && !below.startsWith('>');
  const endsList = emptyItem.test(line.text) && next.text === '';
  const ends = main.empty && (endsList || endsQuote);
  const isFollowing = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  if (!ends || !isFollowing) view.dispatch(continued!);
  else
    view.dispatch({
      changes: { from: line.from, to: line.to, insert: state.lineBreak },
      selection: { anchor: line.from + 1 },
      scrollIntoView: true,
      userEvent: 'input',
    });
  return true;
};
