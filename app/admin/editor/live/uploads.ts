import { StateEffect, StateField, type EditorState } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { caretPlace } from './blocks.ts';
import { button } from './dom.ts';
import { isMedia, isPaper, isPicture, upload, type StoredFile } from '../upload.ts';
import { endOfGallery, linkMarkdown, pictureMarkdown } from './media-text.ts';
import { paragraphAround, placeForFile } from './paragraph.ts';
import { wordsOf } from './words.ts';

/** One file on its way; where it will be is shown in the text, and the text itself knows nothing of it. */
interface Upload {
  file: File;
  share: number;
  error: string | null;
  cancel: () => void;
  retry: () => void;
  /** It is in one paragraph with what is before it: a gallery. */
  isBeside: boolean;
  /** What shows it; its content changes as the upload proceeds. */
  box: HTMLElement;
}

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

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The uploads that are shown in the text. */
export const uploadsField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(add)) {
        const { upload, at } = effect.value;
        const side = isBefore(transaction.state, at) ? -1 : 1;
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

/** Uploads pictures, films and sounds one after the other; each becomes a paragraph of its own, or one of a gallery. */
export function insertFiles(view: EditorView, files: readonly File[], at: number, url: string): void {
  const gallery = endOfGallery(view.state, at);
  const end = gallery ?? placeForFile(view.state, at);
  const started = files.map((file) =>
    begin(view, file, { url, isBeside: gallery !== null && isPicture(file) }),
  );
  view.dispatch({ effects: started.map((upload) => add.of({ upload, at: end })) });
  // What goes before all others is put there last.
  if (gallery === null && isBefore(view.state, end)) started.reverse();
  void (async () => {
    for (const upload of started) await run(view, upload, url);
  })();
}

/** True for the beginning of the text where words follow: what is shown there is shown above them. */
function isBefore(state: EditorState, at: number): boolean {
  return at === 0 && state.doc.line(1).length > 0;
}

function begin(view: EditorView, file: File, { url, isBeside }: { url: string; isBeside: boolean }): Upload {
  const box = document.createElement('div');
  box.className = 'md-upload';
  const one: Upload = {
    file,
    share: 0,
    error: null,
    isBeside,
    box,
    cancel: () => view.dispatch({ effects: remove.of(one) }),
    retry: () => void run(view, one, url),
  };
  if (!isMedia(file))
    one.error = wordsOf(view)('This kind of file can’t be placed in a text. Upload it in the media library.');
  show(view, one);
  return one;
}

async function run(view: EditorView, one: Upload, url: string): Promise<void> {
  if (!isMedia(one.file)) return;
  const stopped = new AbortController();
  one.error = null;
  one.cancel = () => {
    stopped.abort();
    view.dispatch({ effects: remove.of(one) });
  };
  show(view, one);
  const onProgress = (share: number) => {
    one.share = share;
    const bar = one.box.querySelector('progress');
    if (bar) bar.value = share;
  };
  try {
    place(view, one, await upload(one.file, { url, onProgress, signal: stopped.signal }));
  } catch (error) {
    if (stopped.signal.aborted) return;
    const t = wordsOf(view);
    one.error = t(error instanceof Error ? error.message : 'The upload failed.');
    show(view, one);
    view.requestMeasure();
  }
}

/** Puts the Markdown where the upload was shown, with the place of the description chosen to type on. */
function place(view: EditorView, one: Upload, stored: StoredFile): void {
  const at = positionOf(view, one);
  if (at === null) return;
  const { file } = one;
  const markdown = isPaper(file)
    ? linkMarkdown(file.name.replace(/\.pdf$/i, ''), stored.path)
    : pictureMarkdown({ alt: stored.alt, src: stored.path });
  const { main } = view.state.selection;
  // A caret that waits at this place moves below the upload.
  const isWaiting = main.empty && main.head === at;
  const inserted = one.isBeside
    ? { changes: { from: at, insert: ` ${markdown}` } }
    : asParagraph(view.state, at, markdown, isWaiting);
  view.dispatch({ ...inserted, effects: remove.of(one), userEvent: 'input', scrollIntoView: isWaiting });
}

/** A paragraph of its own, with the caret in an empty one behind it if it follows, so that what is typed belongs to neither side. */
function asParagraph(state: EditorState, at: number, markdown: string, caretFollows: boolean) {
  const { lead, tail } = paragraphAround(state, at, at);
  const isLast = at === state.doc.length;
  // An empty line is there already.
  const isEmptyBehind = /^\n\n(\n|$)/.test(state.sliceDoc(at, at + 3));
  const staysBefore = !caretFollows || isBefore(state, at);
  const end = staysBefore ? tail : isLast ? '\n\n' : isEmptyBehind ? '' : `\n\n${tail}`;
  const insert = `${lead}${markdown}${end}`;
  const behind = at + lead.length + markdown.length + 2;
  return { changes: { from: at, insert }, ...(caretFollows && { selection: { anchor: behind } }) };
}

function positionOf(view: EditorView, one: Upload): number | null {
  const iterator = view.state.field(uploadsField).iter();
  for (; iterator.value; iterator.next())
    if ((iterator.value.spec as { widget: UploadWidget }).widget.upload === one) return iterator.from;
  return null;
}

function show(view: EditorView, { box, file, share, error, cancel, retry }: Upload): void {
  const t = wordsOf(view);
  // A pressed button disappears, and what is typed next belongs to the text.
  const inText = (act: () => void) => () => {
    view.focus();
    act();
  };
  const name = document.createElement('span');
  name.textContent = error ? `${file.name}: ${error}` : t('Uploading {name}', { name: file.name });
  box.replaceChildren(name);
  if (error) {
    name.className = 'field-error';
    name.setAttribute('role', 'alert');
    if (isMedia(file)) box.append(button(t('Try again'), inText(retry)));
  } else {
    const bar = document.createElement('progress');
    bar.value = share;
    bar.setAttribute('aria-label', t('Upload of {name}', { name: file.name }));
    box.append(bar);
  }
  box.append(button(t(error ? 'Dismiss' : 'Cancel'), inText(cancel)));
}

/** Puts pictures at the caret: into a gallery beside the others, else as a paragraph of their own. */
export function insertPictures(view: EditorView, pictures: readonly { alt: string; src: string }[]): void {
  const { state } = view;
  const head = caretPlace(state);
  const gallery = endOfGallery(state, head);
  const at = gallery ?? placeForFile(state, head);
  const markdown = pictures.map(pictureMarkdown).join(' ');
  // The caret moves below, so that the pictures show.
  const inserted =
    gallery === null
      ? asParagraph(state, at, markdown, true)
      : { changes: { from: at, insert: ` ${markdown}` } };
  view.dispatch({ ...inserted, userEvent: 'input', scrollIntoView: true });
  if (gallery === null) view.focus();
}

/** Asks for pictures of this device. */
export function choosePictures(onFiles: (files: File[]) => void): void {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.accept = 'image/*';
  chooser.multiple = true;
  chooser.onchange = () => onFiles([...(chooser.files ?? [])]);
  chooser.click();
}
