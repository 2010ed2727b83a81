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
