import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

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
