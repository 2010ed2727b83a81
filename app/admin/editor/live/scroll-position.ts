import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { firstLetters } from '#app/admin/editor/model/text-source.ts';

/** The Markdown characters of a block from which its letters are taken. */
const COMPARED_MAX = 400;
/** Pixels that stay visible below the caret, so that nobody writes at the edge of the window. */
const CARET_ROOM = 64;

/**
 * The scroll position of the editor, for the preview that scrolls with it. A scroll position is a position in the text:
 * the beginning of the top line plus the share of that line, by height, that is above the visible part of the window.
 */
export interface ScrollPosition {
  /** The paragraphs, headings and other blocks that begin with letters. */
  blocks(): { at: number; letters: string }[];
  end(): number;
  /** The scroll position at the upper edge of the visible text. */
  top(): number;
  scrollTo(position: number): void;
}

export function scrollPosition(view: EditorView): ScrollPosition {
  return {
    blocks: () => blocksOf(view.state),
    end: () => view.state.doc.length,
    top: () => {
      const top = Math.max(0, coveredAtTop() - view.documentTop);
      const line = view.lineBlockAtHeight(top);
      return line.from + Math.min(1, (top - line.top) / Math.max(1, line.height)) * line.length;
    },
    scrollTo: (position) => {
      const line = view.lineBlockAt(Math.min(Math.floor(position), view.state.doc.length));
      const share = (position - line.from) / Math.max(1, line.length);
      // By an effect, since heights of invisible lines are estimates: CodeMirror corrects the position after drawing.
      view.dispatch({
        effects: EditorView.scrollIntoView(line.from, {
          y: 'start',
          yMargin: -Math.round(share * line.height),
        }),
      });
    },
  };
}

/** Pixels of the window that the bars above the text cover: what is scrolled to stays below them. */
export function coveredAtTop(): number {
  let height = 0;
  for (const bar of document.querySelectorAll<HTMLElement>('.editor-bar, .writing-tools'))
    height += bar.offsetHeight;
  return height;
}

/**
 * Scrolls the caret to where the bars don't cover it. CodeMirror would also hide menus and tools within the margins, as
 * at the first line of a new post, so it gets the margins only while it scrolls.
 */
export function belowBars(): Extension {
  let isScrolling = false;
  return [
    EditorView.scrollHandler.of(() => {
      isScrolling = true;
      return false;
    }),
    EditorView.scrollMargins.of(() => {
      if (!isScrolling) return null;
      isScrolling = false;
      return { top: coveredAtTop(), bottom: CARET_ROOM };
    }),
  ];
}

function blocksOf(state: EditorState): { at: number; letters: string }[] {
  const blocks = [];
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
    const start = state.sliceDoc(node.from, Math.min(node.to, node.from + COMPARED_MAX));
    // Without addresses of links and numbers of lists, which the rendered text does not contain.
    const visible = start
      .replace(/\]\([^)\s]*(?:\s+"[^"]*")?\)|\]\[[^\]]*\]/g, '')
      .replace(/^\s*\d{1,9}[.)] /, '');
    const letters = firstLetters(visible);
    if (letters !== '') blocks.push({ at: node.from, letters });
  }
  return blocks;
}
