import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension, Line } from '@codemirror/state';
import { EditorView, type Command } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { leaveBlock } from './paragraph.ts';

/** The marks around a code block, with their indent; the first one may name a language. */
const fenceStart = /^(\s*)(`{3,}|~{3,})([^`]*)$/;
const lastFence = /^\s*(?:`{3,}|~{3,})\s*$/;

/**
 * Enter after the first line of a code block moves the caret into a new, empty block. A block without an end gets one:
 * until then the rest of the text would be code.
 */
export const enterCode: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const [, indent = '', fence] = fenceStart.exec(line.text) ?? [];
  const block = codeAt(state, line.from + indent.length);
  if (!fence || !main.empty || main.head !== line.to || block?.from !== line.from + indent.length)
    return false;
  if (isNewBlock(state, line, block.to)) {
    view.dispatch({ selection: { anchor: line.to + 1 }, scrollIntoView: true, userEvent: 'select' });
    return true;
  }
  if (hasEnd(state, line, fence)) return false;
  view.dispatch({
    changes: { from: line.to, insert: `\n${indent}\n${indent}${fence}` },
    selection: { anchor: line.to + 1 + indent.length },
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
};

/** Arrow down in the last line of a text that ends with a code block moves the caret below the block. */
export const leaveCode: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const block = codeAt(state, line.from);
  if (!main.empty || !block || line.to < state.doc.length) return false;
  // Below a block without an end everything would be code.
  if (block.from >= line.from || !lastFence.test(line.text)) return false;
  leaveBlock(view, { from: block.from, length: block.to - block.from }, 1);
  return true;
};

/** Whoever types the end of a block above the end that Enter has added gets one end, not two. */
export const typeOverFence: Extension = EditorView.inputHandler.of((view, from, to, text) => {
  const { state } = view;
  const line = state.doc.lineAt(from);
  if (from !== to || from !== line.to || line.number === state.doc.lines) return false;
  const end = state.doc.line(line.number + 1);
  const [, , fence, language] = fenceStart.exec(end.text) ?? [];
  if (!fence || language !== '' || line.text + text !== end.text) return false;
  const block = codeAt(state, line.from);
  if (!block || block.to !== end.to || block.from === line.from) return false;
  view.dispatch({
    changes: { from: line.from, to: end.from },
    selection: { anchor: line.from + end.length },
    scrollIntoView: true,
    userEvent: 'input.type',
  });
  return true;
});

export function codeAt(state: EditorState, at: number) {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, 1);
  while (node && node.name !== 'FencedCode') node = node.parent;
  return node;
}

/** True for a block of one empty line, with an end. */
function isNewBlock({ doc }: EditorState, first: Line, end: number): boolean {
  const last = doc.lineAt(end);
  return (
    last.number === first.number + 2 && doc.line(first.number + 1).text === '' && lastFence.test(last.text)
  );
}

/**
 * True if a fence below ends the block. Each block below it has two, so an even number means that a new block has taken
 * a fence of the next one.
 */
function hasEnd({ doc }: EditorState, { number }: Line, fence: string): boolean {
  if (number === doc.lines) return false;
  let fences = 0;
  for (const text of doc.iterLines(number + 1))
    if (fenceStart.exec(text)?.[2]?.startsWith(fence[0]!)) fences += 1;
  return fences % 2 === 1;
}
