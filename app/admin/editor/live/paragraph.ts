import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

/** The line ends that make what is put between two places a paragraph of its own. */
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

// Between their lines there is room for more than text.
const withRoomInside: ReadonlySet<string> = new Set(['BulletList', 'OrderedList', 'Blockquote']);

/**
 * Where a file that is put down at a place becomes a paragraph of its own: before the paragraph that begins there,
 * else behind the one that holds the place, never between its lines. In lists and quotes: behind the line.
 */
export function placeForFile(state: EditorState, at: number): number {
  let block = syntaxTree(state).resolve(at, 1);
  while (block.parent?.parent) block = block.parent;
  if (!block.parent || block.to <= at || withRoomInside.has(block.name)) return state.doc.lineAt(at).to;
  return at <= block.from ? Math.max(0, state.doc.lineAt(block.from).from - 1) : block.to;
}
