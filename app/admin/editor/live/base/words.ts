import { EditorState, Facet, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Words } from '#app/ui/words.ts';

const words = Facet.define<Words, Words>({ combine: ([first]) => first! });

/** The texts of the live editor's widgets, in the user's language. */
export function wordsOf(view: EditorView): Words {
  return view.state.facet(words);
}

/** Sets the language of the live editor's widgets, search and menus. */
export function localize(t: Words): Extension {
  return [words.of(t), EditorState.phrases.of({ Completions: t('Insert menu') })];
}
