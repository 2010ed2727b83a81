import { Facet, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { directionOf } from '#app/platform/text/supported-languages.ts';
import { lineDirections } from './line-directions.ts';

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
