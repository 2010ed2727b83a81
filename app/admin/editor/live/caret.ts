import { ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view';

const PAUSE_MS = 500;

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
