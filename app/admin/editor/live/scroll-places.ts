import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { firstLetters } from '../first-letters.ts';

/** Characters of a block that are compared at most, with its marks. */
const LOOKED_AT = 400;

/** The scroll position, for a preview that follows it. A place is a position in the text with the fraction of its line. */
export interface ScrollPlaces {
  /** The paragraphs, headings and other blocks that begin with letters. */
  blocks(): { at: number; letters: string }[];
  end(): number;
  /** What is at the window's upper edge. */
  top(): number;
  scrollTo(place: number): void;
}

export function scrollPlaces(view: EditorView): ScrollPlaces {
  return {
    blocks: () => blocksOf(view.state),
    end: () => view.state.doc.length,
    top: () => {
      const top = Math.max(0, view.scrollDOM.scrollTop - view.documentPadding.top);
      const line = view.lineBlockAtHeight(top);
      return line.from + Math.min(1, (top - line.top) / Math.max(1, line.height)) * line.length;
    },
    scrollTo: (place) => {
      const line = view.lineBlockAt(Math.min(Math.floor(place), view.state.doc.length));
      const share = (place - line.from) / Math.max(1, line.length);
      // Heights of lines out of sight are estimates: CodeMirror goes there once it has drawn them.
      view.dispatch({
        effects: EditorView.scrollIntoView(line.from, {
          y: 'start',
          yMargin: -Math.round(share * line.height),
        }),
      });
    },
  };
}

function blocksOf(state: EditorState): { at: number; letters: string }[] {
  const blocks = [];
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
    const start = state.sliceDoc(node.from, Math.min(node.to, node.from + LOOKED_AT));
    // Readers see neither the addresses of links nor the numbers of lists as text.
    const seen = start
      .replace(/\]\([^)\s]*(?:\s+"[^"]*")?\)|\]\[[^\]]*\]/g, '')
      .replace(/^\s*\d{1,9}[.)] /, '');
    const letters = firstLetters(seen);
    if (letters !== '') blocks.push({ at: node.from, letters });
  }
  return blocks;
}
