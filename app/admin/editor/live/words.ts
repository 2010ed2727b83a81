import { EditorState, Facet, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Words } from '#app/ui/words.ts';

const words = Facet.define<Words, Words>({ combine: ([given]) => given! });

/** The texts of what stands in the text, in the language of whoever writes. */
export function wordsOf(view: EditorView): Words {
  return view.state.facet(words);
}

/** Lets all that stands in the text speak a language, the search and the menus too. */
export function speak(t: Words): Extension {
  return [words.of(t), EditorState.phrases.of(Object.fromEntries(phrases(t)))];
}

/** What CodeMirror's own parts say, by the names that it knows. */
function phrases(t: Words): [string, string][] {
  return [
    ['Completions', t('Menu of everything')],
    ['Find', t('Find')],
    ['Replace', t('Replace')],
    ['next', t('Next')],
    ['previous', t('Previous')],
    ['all', t('Select all')],
    ['match case', t('Match case')],
    ['regexp', t('Regular expression')],
    ['by word', t('Whole words')],
    ['replace', t('Replace')],
    ['replace all', t('Replace all')],
    ['close', t('Close')],
  ];
}
