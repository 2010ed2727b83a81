import { forceParsing } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** The most characters that a window shows. */
const IN_SIGHT = 5_000;

/**
 * Parses the text up to the caret and below it as far as a window shows. Its length is the limit, not a time.
 * CodeMirror itself parses for at most 20 ms of the clock, and goes on when the page is idle. On a machine that stood
 * still meanwhile the text moves when its marks vanish late, and Enter does not know the list that it is in.
 */
export function parseAtCaret(view: EditorView): void {
  const { doc, selection } = view.state;
  forceParsing(view, Math.min(doc.length, selection.main.head + IN_SIGHT), Infinity);
}

export const keepParsed: Extension = EditorView.updateListener.of(({ docChanged, selectionSet, view }) => {
  if (docChanged || selectionSet) parseAtCaret(view);
});
