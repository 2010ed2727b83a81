import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { copyPicture, type StoredFile } from '#app/admin/media/upload.ts';
import type { PastedText } from './rich-text.ts';
import { insertFiles, notice, uploadInOrder, fileTask, type UploadTask } from './uploads.ts';

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
        const link = view.state.replaceSelection(`[${words}](${text.trim()})`);
        view.dispatch(link, { scrollIntoView: true, userEvent: 'input.paste' });
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

/** A picture of a pasted text, with its position in the text. */
type PastedPicture = { at: number } & ({ file: File; alt: string } | { address: string; written: string });

const PICTURE = /!\[((?:\\.|[^\]\\])*)\]\(<?(https?:\/\/(?:\\.|[^\s<>()\\])+)>?(?:\s+"(?:\\.|[^"\\])*")?\)/gi;

/**
 * Splits a pasted text into the text and its pictures. The text lacks the pictures that the clipboard itself contains
 * until they are uploaded.
 */
function readPictures(
  { markdown, carried }: Pick<PastedText, 'markdown' | 'carried'>,
  carriedAddress: (index: number) => string,
): { text: string; pictures: PastedPicture[] } {
  const pictures: PastedPicture[] = [];
  const seen = new Set<string>();
  let text = '';
  let read = 0;
  for (const { 0: whole, 1: alt = '', 2: written = '', index } of markdown.matchAll(PICTURE)) {
    text += markdown.slice(read, index);
    read = index + whole.length;
    const address = written.replace(/\\(.)/g, '$1');
    const number = carried.findIndex((_, each) => carriedAddress(each) === address);
    if (number >= 0) {
      pictures.push({ at: text.length, file: fileOf(carried[number]!, number + 1), alt });
      // The picture was a separate paragraph, so the line breaks after it go too.
      if (/(^|\n\n)$/.test(text)) read += /^\n*/.exec(markdown.slice(read))![0].length;
      continue;
    }
    if (!seen.has(address) && new URL(address).origin !== location.origin)
      pictures.push({ at: text.length + 1, address, written });
    seen.add(address);
    text += whole;
  }
  return { text: (text + markdown.slice(read)).trimEnd(), pictures };
}

function fileOf(data: string, number: number): File {
  const [type = '', content = ''] = data.slice('data:'.length).split(';base64,');
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new File([bytes], `picture-${number}.${type.split('/')[1]}`, { type });
}

/** Uploads the pictures of the clipboard, and copies those of other sites, which may remove them at any time. */
function storePictures(
  view: EditorView,
  pictures: readonly PastedPicture[],
  { from, lost, url }: { from: number; lost: number; url: string },
): void {
  const all = pictures.map((picture) => ({
    at: from + picture.at,
    task:
      'file' in picture
        ? fileTask(view, picture.file, { url, alt: picture.alt })
        : copyTask(view, picture, url),
  }));
  if (lost > 0) {
    const t = wordsOf(view);
    const text = t('Only the app you copied from can read the pasted pictures. Upload them here.');
    all.push({ at: view.state.selection.main.head, task: notice(text) });
  }
  uploadInOrder(view, all);
}

/** A picture of another site. The text shows it from there until it is copied. */
function copyTask(
  view: EditorView,
  { address, written }: { address: string; written: string },
  url: string,
): UploadTask {
  const t = wordsOf(view);
  const { host } = new URL(address);
  return {
    name: host,
    progress: t('Copying the picture from {host}', { host }),
    send: (sending) => copyPicture(address, url, sending),
    failure: () =>
      t(
        'The picture couldn’t be copied to the library. It is still loaded from {host}, where it may disappear.',
        {
          host,
        },
      ),
    changeFor: ({ path }: StoredFile) => ({ changes: addressesIn(view.state.sliceDoc(), written, path) }),
  };
}

/** The changes that replace an address in all pictures and links of a text. */
function addressesIn(text: string, written: string, insert: string) {
  const changes = [];
  for (let from = text.indexOf(written); from >= 0; from = text.indexOf(written, from + 1)) {
    const to = from + written.length;
    if (/\]\(<?$/.test(text.slice(from - 3, from)) && /[\s)>]/.test(text.charAt(to)))
      changes.push({ from, to, insert });
  }
  return changes;
}
