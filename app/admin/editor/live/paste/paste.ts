import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { storePictures, readPictures } from './pictures.ts';
import { insertFiles, notice, uploadInOrder } from './uploads.ts';

const ADDRESS = /^https?:\/\/\S+$/i;

/** The selection that a paste replaces when its code is loaded. It moves with what is typed meanwhile. */
interface Place {
  from: number;
  to: number;
  /** Whether the paste goes before (-1) or behind (1) what is typed at its place. */
  side: -1 | 1;
}

/**
 * Uploads pasted and dropped files, turns a selection and a pasted address into a link, and rich text into Markdown.
 */
export function pasteAndDrop(options: { mediaUrl: string; isSource: () => boolean }) {
  const places = new Set<Place>();
  const movePlaces = EditorView.updateListener.of(({ changes }) => {
    for (const place of places) {
      const isEmpty = place.from === place.to;
      const from = changes.mapPos(place.from, isEmpty ? place.side : 1);
      const to = changes.mapPos(place.to, place.side);
      // Where the selection is gone, the paste goes behind what replaces it.
      if (!isEmpty && from >= to) place.side = 1;
      place.from = from;
      place.to = Math.max(from, to);
    }
  });
  const handlers = EditorView.domEventHandlers({
    paste(event, view) {
      const { clipboardData } = event;
      if (!clipboardData) return false;
      const files = [...clipboardData.files];
      const text = clipboardData.getData('text/plain');
      const { main } = view.state.selection;
      // Only files without a text: a word processor copies a text together with its picture.
      if (files.length > 0 && text === '') {
        insertFiles(view, files, main.head, options.mediaUrl);
        return true;
      }
      // Code is pasted as it is.
      if (isInCode(view.state)) return false;
      if (ADDRESS.test(text.trim()) && !main.empty) {
        const words = view.state.sliceDoc(main.from, main.to);
        // A pasted address replaces a selected address instead of making a link of it.
        if (/^https?:\/\/\S*$/i.test(words)) return false;
        replaceSelection(view, `[${words}](${text.trim()})`);
        return true;
      }
      const html = clipboardData.getData('text/html');
      const isCode = clipboardData.types.includes('vscode-editor-data');
      if (html === '' || isCode || options.isSource() || !hasFormat(html)) return false;
      const place: Place = { from: main.from, to: main.to, side: -1 };
      // What is typed before the code is loaded would replace the selection, and then be replaced itself.
      view.dispatch({ selection: { anchor: main.to } });
      places.add(place);
      void pasteHtml(view, place, { html, plain: text, mediaUrl: options.mediaUrl }).finally(() =>
        places.delete(place),
      );
      return true;
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head;
      insertFiles(view, files, at, options.mediaUrl);
      return true;
    },
    dragover(event) {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
      return false;
    },
  });
  return [movePlaces, handlers];
}

async function pasteHtml(
  view: EditorView,
  place: Place,
  { html, plain, mediaUrl }: { html: string; plain: string; mediaUrl: string },
): Promise<void> {
  let paste = () => replacePlace(view, place, plain);
  const richText = await import('./rich-text.ts').catch(() => null);
  if (richText === null) {
    paste();
    sayFormatIsLost(view);
    return;
  }
  try {
    const { richTextToMarkdown, carriedAddress } = richText;
    const pasted = richTextToMarkdown(html, view.state.doc.toString());
    const { text, pictures } = readPictures(pasted, carriedAddress);
    if (text !== '' || pictures.length > 0)
      paste = () => {
        const { lead, tail } = breaksAround(view.state, place, text);
        const from = place.from + lead.length;
        replacePlace(view, place, lead + text + tail);
        storePictures(view, pictures, { from, lost: pasted.lost, url: mediaUrl });
      };
  } catch {
    // Rich text that cannot be converted is pasted as plain text.
  }
  paste();
}

function sayFormatIsLost(view: EditorView): void {
  const t = wordsOf(view);
  const text = t(
    'The formatting of the pasted text couldn’t be read. Undo, and paste again when you’re online.',
  );
  uploadInOrder(view, [{ task: notice(text), at: view.state.selection.main.head }]);
}

/** True if the selection begins in code. */
function isInCode(state: EditorState): boolean {
  let node = syntaxTree(state).resolveInner(state.selection.main.from, 1).node;
  for (; node.parent; node = node.parent)
    if (/^(FencedCode|CodeBlock|InlineCode)$/.test(node.name)) return true;
  return false;
}

/** Puts a text at its place. The caret follows, unless somebody has typed on or moved it meanwhile. */
function replacePlace(view: EditorView, { from, to }: Place, insert: string): void {
  const { main } = view.state.selection;
  const isCaretHere = main.empty && main.head === to;
  view.dispatch({
    changes: { from, to, insert },
    ...(isCaretHere && { selection: { anchor: from + insert.length } }),
    scrollIntoView: isCaretHere,
    userEvent: 'input.paste',
  });
}

function replaceSelection(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input.paste' });
}

/** True when the HTML contains more than plain text. */
function hasFormat(html: string): boolean {
  return (
    /<(a|b|strong|i|em|u|s|del|h[1-6]|ul|ol|li|table|blockquote|pre|code|img|hr)\b/i.test(html) ||
    /font-(weight|style)|mso-list/i.test(html)
  );
}

const itemMark = String.raw`(?:[-*+]|\d{1,9}[.)]) `;
/** A text that begins with a heading, list, quotation, table, code block or footnote. */
const blockBegin = new RegExp(`^ {0,3}(?:#{1,6} |${itemMark}|> |\\||\`\`\`|~~~|\\[\\^[^\\]]+\\]: )`);
const listItem = new RegExp(`^\\s*${itemMark}`);
/** Nothing but the mark of a list item or quotation. */
const onlyMarks = new RegExp(`^[\\s>]*(?:${itemMark}(?:\\[[ xX]\\] )?)?\\s*$`);

/**
 * The line breaks that a pasted text needs before and after it. Right behind words, a heading or list would become a
 * part of their paragraph; words right behind a heading or list would become a part of its last line.
 */
function breaksAround(
  state: EditorState,
  { from, to }: { from: number; to: number },
  text: string,
): { lead: string; tail: string } {
  const before = state.sliceDoc(state.doc.lineAt(from).from, from);
  const after = state.sliceDoc(to, state.doc.lineAt(to).to);
  // In the cells of a table and in quotations each line has marks, so the paste stays where it is.
  if (/^\s*[>|]/.test(before)) return { lead: '', tail: '' };
  const isApart = !blockBegin.test(text) || onlyMarks.test(before);
  const lead = isApart ? '' : listItem.test(before) && listItem.test(text) ? '\n' : '\n\n';
  const last = text.slice(text.lastIndexOf('\n') + 1);
  // What is typed next would be a cell or a row of a table.
  const endsApart = !last.startsWith('|') && (after.trim() === '' || !blockBegin.test(last));
  return { lead, tail: endsApart ? '' : '\n\n' };
}
