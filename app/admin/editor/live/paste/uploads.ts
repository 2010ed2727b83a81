import { StateEffect, StateField, type TransactionSpec, type EditorState } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { button, element } from '#app/admin/editor/live/base/dom.ts';
import { positionForFile, paragraphAround } from '#app/admin/editor/live/base/paragraph.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { caretPosition } from '#app/admin/editor/live/blocks/blocks.ts';
import { endOfGallery, linkMarkdown, pictureMarkdown } from '#app/admin/editor/live/media/text.ts';
import {
  isMedia,
  isDocument,
  isPicture,
  upload,
  type UploadOptions,
  type StoredFile,
} from '#app/admin/media/upload.ts';

/** A file to store in the library, and what the text shows for it. */
export interface UploadTask {
  name: string;
  /** The text while it is stored; absent: that the file is being uploaded. */
  progress?: string;
  /** Null for a file that cannot be sent: the text shows only the failure. */
  send: ((options: UploadOptions) => Promise<StoredFile>) | null;
  failure: (message: string) => string;
  /** The change of the text when the file is stored. `at`: the position at which the upload was shown. */
  changeFor: (stored: StoredFile, at: number) => TransactionSpec;
}

/** One running upload. The editor shows it as a widget at the file's future position; the text does not contain it. */
interface Upload {
  task: UploadTask;
  /** From 0 to 1; null if only the server knows the share. */
  share: number | null;
  error: string | null;
  cancel: () => void;
  retry: () => void;
  /** The element that shows the upload. Its content changes with the progress. */
  box: HTMLElement;
}

/** The most uploads that are shown at the same time. */
const SHOWN_MAX = 1_000;

const add = StateEffect.define<{ upload: Upload; at: number }>({
  map: ({ upload, at }, changes) => ({ upload, at: changes.mapPos(at) }),
});
const remove = StateEffect.define<Upload>();

class UploadWidget extends WidgetType {
  constructor(readonly upload: Upload) {
    super();
  }

  override eq(other: UploadWidget): boolean {
    return other.upload === this.upload;
  }

  toDOM(): HTMLElement {
    return this.upload.box;
  }
}

export const uploadsField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(add)) {
        const { upload, at } = effect.value;
        // Uploads at the same position are in the order in which they began.
        const side = (isBefore(transaction.state, at) ? -SHOWN_MAX : 1) + next.size;
        const widget = Decoration.widget({ widget: new UploadWidget(upload), side, block: true });
        next = next.update({ add: [widget.range(at)] });
      } else if (effect.is(remove))
        next = next.update({
          filter: (_from, _to, { spec }) => (spec as { widget: UploadWidget }).widget.upload !== effect.value,
        });
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Uploads files one after the other. Each becomes a separate paragraph or, in a gallery, one of its pictures.
 * @param options.caretFollows moves the caret there, and behind each file that is stored
 */
export function insertFiles(
  view: EditorView,
  files: readonly File[],
  at: number,
  url: string,
  { caretFollows = false } = {},
): void {
  const gallery = endOfGallery(view.state, at);
  const end = gallery ?? positionForFile(view.state, at);
  const tasks = files.map((file) =>
    fileTask(view, file, { url, isBeside: gallery !== null && isPicture(file) }),
  );
  const started = tasks.map((item) => begin(view, item));
  view.dispatch({
    effects: started.map((upload) => add.of({ upload, at: end })),
    ...(caretFollows && gallery === null && { selection: { anchor: end } }),
  });
  // Each goes before the earlier ones at the beginning of the text, so the last file is uploaded first.
  if (gallery === null && isBefore(view.state, end)) started.reverse();
  void runAll(view, started);
}

/** Shows each upload after the paragraph at its position, and runs them one after the other. */
export function uploadInOrder(view: EditorView, all: readonly { task: UploadTask; at: number }[]): void {
  const started = all.map(({ task, at }) => ({
    upload: begin(view, task),
    at: positionForFile(view.state, at),
  }));
  view.dispatch({ effects: started.map((item) => add.of(item)) });
  void runAll(
    view,
    started.map(({ upload }) => upload),
  );
}

/** A text that stays at its place until it is closed; nothing is stored. */
export function notice(text: string): UploadTask {
  return { name: '', send: null, failure: () => text, changeFor: () => ({}) };
}

async function runAll(view: EditorView, uploads: readonly Upload[]): Promise<void> {
  for (const upload of uploads) await run(view, upload);
}

/** A file of this device. With `isBeside` it continues the gallery at its position. */
export function fileTask(
  view: EditorView,
  file: File,
  { url, isBeside = false, alt = '' }: { url: string; isBeside?: boolean; alt?: string },
): UploadTask {
  return {
    name: file.name,
    send: isMedia(file) ? (options) => upload(file, url, options) : null,
    failure: (message) => `${file.name}: ${message}`,
    changeFor(stored, at) {
      const markdown = isDocument(file)
        ? linkMarkdown(file.name.replace(/\.pdf$/i, ''), stored.path)
        : pictureMarkdown({ alt: stored.alt || alt, src: stored.path });
      const { main } = view.state.selection;
      // A caret at this position moves below the uploaded file.
      const isWaiting = main.empty && main.head === at;
      const inserted = isBeside
        ? { changes: { from: at, insert: ` ${markdown}` } }
        : asParagraph(view.state, at, markdown, { caretFollows: isWaiting });
      return { ...inserted, scrollIntoView: isWaiting };
    },
  };
}

function begin(view: EditorView, task: UploadTask): Upload {
  const box = element('div', { class: 'md-upload' });
  const item: Upload = {
    task,
    share: 0,
    error: null,
    box,
    cancel: () => view.dispatch({ effects: remove.of(item) }),
    retry: () => void run(view, item),
  };
  if (!task.send)
    item.error = task.failure(
      wordsOf(view)('This kind of file can’t be placed in a text. Upload it in the media library.'),
    );
  show(view, item);
  return item;
}

async function run(view: EditorView, item: Upload): Promise<void> {
  const { send, changeFor, failure } = item.task;
  if (!send) return;
  const stopped = new AbortController();
  item.error = null;
  item.cancel = () => {
    stopped.abort();
    view.dispatch({ effects: remove.of(item) });
  };
  show(view, item);
  const onProgress = (share: number | null) => {
    item.share = share;
    const bar = item.box.querySelector('progress');
    if (bar) showShare(bar, share);
  };
  try {
    const stored = await send({ onProgress, signal: stopped.signal });
    const at = positionOf(view, item);
    if (at === null) return;
    view.dispatch({ userEvent: 'input', ...changeFor(stored, at), effects: remove.of(item) });
    if (stored.warning !== undefined)
      uploadInOrder(view, [{ task: notice(failure(wordsOf(view)(stored.warning))), at }]);
  } catch (error) {
    if (stopped.signal.aborted) return;
    const t = wordsOf(view);
    item.error = failure(t(error instanceof Error ? error.message : 'The upload failed.'));
    show(view, item);
    view.requestMeasure();
  }
}

function positionOf(view: EditorView, item: Upload): number | null {
  const iterator = view.state.field(uploadsField).iter();
  for (; iterator.value; iterator.next())
    if ((iterator.value.spec as { widget: UploadWidget }).widget.upload === item) return iterator.from;
  return null;
}

function show(view: EditorView, { box, task, share, error, cancel, retry }: Upload): void {
  const t = wordsOf(view);
  // A pressed button disappears, so the focus moves to the text for further typing.
  const inText = (act: () => void) => () => {
    view.focus();
    act();
  };
  const words = error ?? task.progress ?? t('Uploading {name}', { name: task.name });
  box.replaceChildren(element('span', error ? { class: 'field-error', role: 'alert' } : {}, words));
  if (error) {
    if (task.send) box.append(button(t('Try again'), inText(retry)));
  } else {
    const bar = element('progress', { 'aria-label': t('Upload of {name}', { name: task.name }) });
    showShare(bar, share);
    box.append(bar);
  }
  box.append(button(t(error ? 'Dismiss' : 'Cancel'), inText(cancel)));
}

function showShare(bar: HTMLProgressElement, share: number | null): void {
  if (share === null) bar.removeAttribute('value');
  else bar.value = share;
}

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

export function choosePictures(onFiles: (files: File[]) => void): void {
  const chooser = element('input', { type: 'file', accept: 'image/*', multiple: '' });
  chooser.onchange = () => onFiles([...(chooser.files ?? [])]);
  chooser.click();
}

/** True at the beginning of a text with a first line: an insertion there goes before that line. */
function isBefore(state: EditorState, at: number): boolean {
  return at === 0 && state.doc.line(1).length > 0;
}

/**
 * Inserts a separate paragraph. With `caretFollows` the caret moves into an empty paragraph after it, so that typed
 * text belongs to neither side.
 */
function asParagraph(
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
