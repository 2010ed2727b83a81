import { RangeSetBuilder, type Extension } from '@codemirror/state';
import {
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view';
import { directionOfText } from '#app/platform/text/direction.ts';

const lines = {
  ltr: Decoration.line({ attributes: { dir: 'ltr' } }),
  rtl: Decoration.line({ attributes: { dir: 'rtl' } }),
};

/** Sets each visible line whose words are in another direction than the text, as the page does with blocks. */
export function lineDirections(usual: string): Extension {
  const decorate = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of view.visibleRanges)
      for (let at = from; at <= to;) {
        const line = view.state.doc.lineAt(at);
        // A picture's Markdown and the name of a call-out are no words of the text.
        const direction = /^(?:!\[|>\s*\[!)/.test(line.text) ? null : directionOfText(line.text);
        if (direction !== null && direction !== usual) builder.add(line.from, line.from, lines[direction]);
        at = line.to + 1;
      }
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view);
      }
      update({ docChanged, viewportChanged, view }: ViewUpdate) {
        if (docChanged || viewportChanged) this.decorations = decorate(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}
