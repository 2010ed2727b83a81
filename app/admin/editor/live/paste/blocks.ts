import type { EditorState } from '@codemirror/state';

const item = String.raw`(?:[-*+]|\d{1,9}[.)]) `;
/** A text that begins with a heading, list, quotation, table, code block or footnote. */
const block = new RegExp(`^ {0,3}(?:#{1,6} |${item}|> |\\||\`\`\`|~~~|\\[\\^[^\\]]+\\]: )`);
const listItem = new RegExp(`^\\s*${item}`);
/** Nothing but the mark of a list item or quotation. */
const marks = new RegExp(`^[\\s>]*(?:${item}(?:\\[[ xX]\\] )?)?\\s*$`);

/**
 * The line breaks that a pasted text needs before and after it. Right behind words, a heading or list would become a
 * part of their paragraph; words right behind a heading or list would become a part of its last line.
 */
export function breaksAround(
  state: EditorState,
  { from, to }: { from: number; to: number },
  text: string,
): { lead: string; tail: string } {
  const before = state.sliceDoc(state.doc.lineAt(from).from, from);
  const after = state.sliceDoc(to, state.doc.lineAt(to).to);
  // In the cells of a table and in quotations each line has marks, so the paste stays where it is.
  if (/^\s*[>|]/.test(before)) return { lead: '', tail: '' };
  const isApart = !block.test(text) || marks.test(before);
  const lead = isApart ? '' : listItem.test(before) && listItem.test(text) ? '\n' : '\n\n';
  const last = text.slice(text.lastIndexOf('\n') + 1);
  // What is typed next would be a cell or a row of a table.
  const endsApart = !last.startsWith('|') && (after.trim() === '' || !block.test(last));
  return { lead, tail: endsApart ? '' : '\n\n' };
}
