import { forceParsing } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const PAUSE_MS = 500;
/** The most characters that a window shows. */
const IN_SIGHT = 5_000;

/**
 * Lets the caret blink only in pauses. CodeMirror starts an animation at each keystroke, and the browser keeps the
 * animations for a while: after some hundred keystrokes each took a third more time.
 */
export const blinkInPauses = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly view: EditorView) {
      this.blinkAfterPause();
    }

    update({ docChanged, selectionSet, focusChanged }: ViewUpdate) {
      if (docChanged || selectionSet || focusChanged) this.blinkAfterPause();
    }

    destroy() {
      clearTimeout(this.timer);
    }

    private blinkAfterPause() {
      const { dom } = this.view;
      clearTimeout(this.timer);
      dom.removeAttribute('data-pause');
      this.timer = setTimeout(() => dom.setAttribute('data-pause', ''), PAUSE_MS);
    }
  },
);

/**
 * Sets the caret as soon as the text gets the focus. A dialog that closes returns the focus without a caret, and
 * CodeMirror sets it only after a pause: on a busy device the browser dropped the keys that were pressed until then.
 */
export const caretAtFocus = EditorView.domEventHandlers({
  focus: (_event, view) => {
    if (!view.contentDOM.contains(getSelection()?.focusNode ?? null)) view.focus();
  },
});

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
