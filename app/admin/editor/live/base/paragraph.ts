import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** The line breaks that a text between two positions needs before and after it to be a separate paragraph. */
export function paragraphAround(
  state: EditorState,
  from: number,
  to: number,
): { lead: string; tail: string } {
  const before = state.sliceDoc(Math.max(0, from - 2), from);
  const after = state.sliceDoc(to, to + 2);
  const lead = from === 0 || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const tail = after === '' ? '\n' : after === '\n\n' ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  return { lead, tail };
}

// A picture may be between the lines of these blocks.
const withRoomInside: ReadonlySet<string> = new Set(['BulletList', 'OrderedList', 'Blockquote']);

/**
 * The position at which a dropped file becomes a separate paragraph: before a paragraph that begins at the drop, else
 * after the paragraph that contains the drop, never between its lines. In lists and quotations: after the line.
 */
export function positionForFile(state: EditorState, at: number): number {
  let block = syntaxTree(state).resolve(at, 1);
  while (block.parent?.parent) block = block.parent;
  if (!block.parent || block.to <= at || withRoomInside.has(block.name)) return state.doc.lineAt(at).to;
  return at <= block.from ? Math.max(0, state.doc.lineAt(block.from).from - 1) : block.to;
}

/**
 * Moves the caret to the text below a table or picture, or above it if `step` is negative. Adds an empty line if there
 * is no text below.
 */
export function leaveBlock(view: EditorView, block: { from: number; length: number }, step: number): void {
  const { from } = block;
  const to = from + block.length;
  if (step < 0 && from > 0) view.dispatch({ selection: { anchor: from - 1 } });
  else if (step > 0) {
    // Markdown takes a line right below the block as a part of it. It takes a line right above a table, picture or
    // footnote text as a part of that. So blank lines must separate the new line from both.
    const after = view.state.sliceDoc(to, to + 5);
    const ends = /^\n{0,2}/.exec(after)![0].length;
    const missing = '\n\n'.slice(ends) + (/^(?:[|!]|\[\^)/.test(after.slice(ends)) ? '\n\n' : '');
    view.dispatch({
      changes: { from: to, insert: missing },
      selection: { anchor: to + 2 },
      scrollIntoView: true,
    });
  }
  view.focus();
}
