import { Facet, type Extension, RangeSetBuilder } from '@codemirror/state';
import { EditorView, Decoration, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { directionOfText, directionOf } from '#app/platform/text/languages.ts';

/** True if the text is written from right to left: columns and pictures then follow each other to the left. */
export const rightToLeft = Facet.define<boolean, boolean>({ combine: ([first = false]) => first });

/** The attributes of the element that people write in: its name, and the language and direction of the text. */
export function textAttributes(textarea: HTMLTextAreaElement, language: string, name: string): Extension {
  const described = textarea.getAttribute('aria-describedby');
  const dir = directionOf(language) ?? 'ltr';
  return [
    rightToLeft.of(dir === 'rtl'),
    // Lines of code are written from the left in a text from the right, and a text may have lines in the other direction.
    EditorView.perLineTextDirection.of(true),
    lineDirections(dir),
    EditorView.contentAttributes.of({
      'aria-label': name,
      // A scrolling element needs a part that the keyboard can focus. axe recognises that only by this attribute.
      tabindex: '0',
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
      lang: language,
      dir,
      ...(described && { 'aria-describedby': described }),
      ...(textarea.readOnly && { 'aria-readonly': 'true' }),
    }),
  ];
}

const lines = {
  ltr: Decoration.line({ attributes: { dir: 'ltr' } }),
  rtl: Decoration.line({ attributes: { dir: 'rtl' } }),
};

/** Sets each visible line whose words are in another direction than the text, as the page does with blocks. */
function lineDirections(usual: string): Extension {
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
