import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { paragraphAround, positionForFile } from '#app/admin/editor/live/base/paragraph.ts';
import { caretPosition } from '#app/admin/editor/live/blocks/blocks.ts';
import { endOfGallery, pictureMarkdown } from '#app/admin/editor/live/media/text.ts';

/** Inserts pictures at the caret: at the end of a gallery there, else as a separate paragraph. */
export function insertPictures(view: EditorView, pictures: readonly { alt: string; src: string }[]): void {
  const { state } = view;
  const head = caretPosition(state);
  const gallery = endOfGallery(state, head);
  const at = gallery ?? positionForFile(state, head);
  const markdown = pictures.map(pictureMarkdown).join(' ');
  // The caret moves below the new paragraph, so that it shows the pictures and not their Markdown.
  const inserted =
    gallery === null
      ? asParagraph(state, at, markdown, { caretFollows: true })
      : { changes: { from: at, insert: ` ${markdown}` } };
  view.dispatch({ ...inserted, userEvent: 'input', scrollIntoView: true });
  if (gallery === null) view.focus();
}

/** Lets people choose pictures of this device. */
export function choosePictures(onFiles: (files: File[]) => void): void {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.accept = 'image/*';
  chooser.multiple = true;
  chooser.onchange = () => onFiles([...(chooser.files ?? [])]);
  chooser.click();
}

/** True at the beginning of a text with a first line: an insertion there goes before that line. */
export function isBefore(state: EditorState, at: number): boolean {
  return at === 0 && state.doc.line(1).length > 0;
}

/**
 * Inserts a separate paragraph. With `caretFollows` the caret moves into an empty paragraph after it, so that typed
 * text belongs to neither side.
 */
export function asParagraph(
  state: EditorState,
  at: number,
  markdown: string,
  { caretFollows }: { caretFollows: boolean },
) {
  const { lead, tail } = paragraphAround(state, at, at);
  const isLast = at === state.doc.length;
  // The text has an empty paragraph there already.
  const hasEmptyParagraph = /^\n\n(\n|$)/.test(state.sliceDoc(at, at + 3));
  const staysBefore = !caretFollows || isBefore(state, at);
  const end = staysBefore ? tail : isLast ? '\n\n' : hasEmptyParagraph ? '' : `\n\n${tail}`;
  const insert = `${lead}${markdown}${end}`;
  const caret = at + lead.length + markdown.length + 2;
  return { changes: { from: at, insert }, ...(caretFollows && { selection: { anchor: caret } }) };
}
